//! What a confined program reaches beside files: the network, services behind sockets, processes, terminals, privileges.

mod support;

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};

use flightdeck_keeper::{Output, Sandbox, Size};
use rustix::process::geteuid;
use support::yard::Yard;
use support::{is_alive, wait_for};

#[test]
fn sockets_are_closed_unless_the_network_is_allowed_and_unix_sockets_always() {
    let Some(yard) = Yard::new() else { return };
    let tcp = TcpListener::bind("127.0.0.1:0").expect("binds");
    let udp = UdpSocket::bind("127.0.0.1:0").expect("binds");
    let path = yard.work().join("served.sock");
    let _served = UnixListener::bind(&path).expect("binds");
    let name = format!("flightdeck-test-{}", yard.keeper.pid);
    let abstract_name = SocketAddr::from_abstract_name(&name).expect("a name");
    let _abstract = UnixListener::bind_addr(&abstract_name).expect("binds");
    let datagram_name = format!("{name}-datagrams");
    let datagram = SocketAddr::from_abstract_name(&datagram_name).expect("a name");
    let _datagrams = UnixDatagram::bind_addr(&datagram).expect("binds");
    let tcp = tcp.local_addr().expect("an address").to_string();
    let udp = udp.local_addr().expect("an address").to_string();
    let fresh = yard.work().join("new.sock");
    // What works without the network, and with it.
    let cases = [
        ("tcp-connect", tcp.as_str(), false, true),
        ("tcp-bind", "", false, true),
        ("udp-send", &udp, false, true),
        ("unix-connect", path.to_str().expect("text"), false, false),
        ("unix-connect", yard.keeper.socket.to_str().expect("text"), false, false),
        ("unix-bind", fresh.to_str().expect("text"), false, false),
        ("abstract-connect", &name, false, false),
        ("ring", "", false, false),
        ("unix-pair", "", true, true),
        ("netlink", "", true, true),
        ("pair-to-abstract", &datagram_name, !yard.support.signals, !yard.support.signals),
    ];
    for (what, place, offline, online) in cases {
        let script = format!("$ATTEMPT {what} {place}");
        for (network, expected) in [(false, offline), (true, online)] {
            let ran = yard.run(&script, Output::Pipes, Some(Sandbox { network, ..yard.sandbox() }));
            assert_eq!(ran.worked(), expected, "{script} with the network {network}: {ran:?}");
        }
        let free = yard.run(&script, Output::Pipes, None);
        // Some containers have no io_uring for anybody.
        assert!(free.worked() || what == "ring", "{script} without a sandbox: {free:?}");
        let _made_by_bind = fs::remove_file(&fresh);
    }
}

#[test]
fn processes_outside_are_out_of_reach() {
    let Some(yard) = Yard::new() else { return };
    let outsider = yard.client.spawn(&yard.keeper.pipes("outsider", "exec sleep 1000")).pid;
    for script in [
        format!("$ATTEMPT trace {outsider}"),
        format!("cat /proc/{outsider}/environ"),
        format!("ls -l /proc/{outsider}/fd/0"),
    ] {
        let (confined, free) = yard.confined_then_free(&script);
        assert!(!confined.worked() && free.worked(), "{script}: {confined:?} {free:?}");
    }
    if yard.support.signals {
        let (confined, free) = yard.confined_then_free(&format!("kill -0 {outsider}"));
        assert!(!confined.worked() && free.worked(), "{confined:?} {free:?}");
        // All that it may signal is itself, so this is what it ends.
        let confined = yard.run("kill -KILL -1", Output::Pipes, Some(yard.sandbox()));
        assert!(is_alive(outsider) && yard.keeper.is_alive(), "{confined:?}");
        let free = yard.run(&format!("kill -KILL {outsider}"), Output::Pipes, None);
        assert!(free.worked(), "{free:?}");
        wait_for("the end of the outsider", String::new, || (!is_alive(outsider)).then_some(()));
    }
}

#[test]
fn its_own_terminal_is_open_and_others_are_not() {
    let Some(yard) = Yard::new() else { return };
    yard.client.spawn(&yard.keeper.pty("other", "tty; exec sleep 1000"));
    let text = || yard.keeper.text("other");
    let other = wait_for("its name", text, || text().strip_suffix("\r\n").map(str::to_owned));
    // Whoever reads there takes what is typed.
    let by_descriptor = format!(
        "for fd in /proc/[0-9]*/fd/0; do [ \"$(readlink $fd)\" = {other} ] && (exec 3<$fd) && exit 0; done; exit 1"
    );
    for script in
        [format!("echo x > {other}"), format!("stty -F {other} -echo"), format!("exec 3<{other}"), by_descriptor]
    {
        let (confined, free) = yard.confined_then_free(&script);
        assert!(!confined.worked() && free.worked(), "{script}: {confined:?} {free:?}");
    }
    let own =
        "echo a > $(tty) && echo b > /dev/tty && stty -echo < /dev/tty && stty -F $(tty) rows 7 && stty size < $(tty)";
    let ran = yard.run(own, Output::Pty(Size::default()), Some(yard.sandbox()));
    assert!(ran.worked() && ran.text == "a\r\nb\r\n7 80\r\n", "{ran:?}");
}

#[test]
fn new_terminals_can_be_made_where_that_is_allowed() {
    let Some(yard) = Yard::new() else { return };
    let script = "script -qec 'tty && stty size' /dev/null < /dev/null";
    let (confined, free) = yard.confined_then_free(script);
    assert!(!confined.worked() && free.worked(), "{confined:?} {free:?}");
    let mut sandbox = yard.sandbox();
    sandbox.write.extend(["/dev/pts", "/dev/ptmx"].map(Into::into));
    // In containers it is often a link to the one in /dev/pts.
    if fs::symlink_metadata("/dev/ptmx").is_ok_and(|meta| !meta.is_symlink()) {
        let opened = yard.run(script, Output::Pipes, Some(sandbox));
        assert!(opened.worked() && opened.text.contains("/dev/pts/"), "{opened:?}");
    }
}

#[test]
fn set_user_id_programs_gain_nothing_and_root_is_less() {
    let Some(yard) = Yard::new() else { return };
    let script = "grep -q 'NoNewPrivs:.*1' /proc/self/status";
    let (confined, free) = yard.confined_then_free(script);
    assert!(confined.worked() && !free.worked(), "{confined:?} {free:?}");
    if geteuid().is_root() {
        // Any other user shows it as well as root would.
        const NOBODY: u32 = 65534;
        let program = yard.outside().join("id");
        fs::copy("/usr/bin/id", &program).expect("copies");
        chown(&program, Some(NOBODY), None).expect("gives away");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o4755)).expect("sets");
        let (confined, free) = yard.confined_then_free("$OUT/id -u");
        assert_eq!((confined.text.as_str(), free.text.as_str()), ("0\n", "65534\n"));
        // Sets what is set already: only whether it may is of interest.
        for script in ["hostname \"$(hostname)\"", "unshare -m true", "nice -n -1 true 2>&1 | { ! grep . ; }"] {
            let (confined, free) = yard.confined_then_free(script);
            assert!(!confined.worked() && free.worked(), "{script}: {confined:?} {free:?}");
        }
    }
}
