//! Which way interactive work goes: a pure function of what the request and the operator say.

use flightdeck_contract::canonical::AdapterOverride;
use flightdeck_contract::{Error, ErrorCode, pm};

use super::inputs::Inputs;

/// The way to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// The window that the user has set or installed.
    Local,
    /// The window that lies beside the program.
    Bundled,
    /// The configured window, then the bundled one, then the installed one: `local_or_bundled_auto`.
    Auto,
    /// Out of the container to the hub of its host.
    ContainerBridge,
}

impl Way {
    /// Its name in answers and in the log.
    pub fn name(self) -> &'static str {
        match self {
            Way::Local => "local",
            Way::Bundled => "bundled",
            Way::Auto => "local_or_bundled_auto",
            Way::ContainerBridge => "container_bridge",
        }
    }
}

/// The request decides first, then the operator, then where the hub runs.
pub(crate) fn resolve(asked: AdapterOverride, inputs: &Inputs) -> Result<Way, Error> {
    let chosen = match asked {
        AdapterOverride::Auto => configured(inputs.mode.as_deref())?,
        other => other,
    };
    let way = match chosen {
        AdapterOverride::Local => Way::Local,
        AdapterOverride::Bundled => Way::Bundled,
        AdapterOverride::ContainerBridge => Way::ContainerBridge,
        AdapterOverride::Auto if inputs.in_container => Way::ContainerBridge,
        AdapterOverride::Auto => Way::Auto,
    };
    match &inputs.bridge {
        Err(problem) if way == Way::ContainerBridge => Err(problem.clone()),
        _ => Ok(way),
    }
}

fn configured(mode: Option<&str>) -> Result<AdapterOverride, Error> {
    let Some(mode) = mode else { return Ok(AdapterOverride::Auto) };
    AdapterOverride::parse(mode).ok_or_else(|| {
        let text = format!("{} is {mode:?}, which is no adapter", pm::ADAPTER_MODE);
        let names = AdapterOverride::NAMES.join(", ");
        Error::new(ErrorCode::InvalidArgument, text)
            .hint(format!("set it to one of {names} where the hub is started, or leave it out; then start it again"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Request, `PM_TERM_ADAPTER_MODE`, `PM_RUNNING_IN_CONTAINER`, whether the bridge has its inputs, and what comes of it.
    type Row = (&'static str, Option<&'static str>, Option<&'static str>, bool, Result<Way, ErrorCode>);

    #[test]
    fn precedence_is_request_then_configuration_then_container_then_local() {
        let rows: &[Row] = &[
            ("auto", None, None, false, Ok(Way::Auto)),
            ("auto", None, None, true, Ok(Way::Auto)),
            ("auto", None, Some("true"), true, Ok(Way::ContainerBridge)),
            ("auto", None, Some("1"), true, Ok(Way::ContainerBridge)),
            ("auto", None, Some("false"), true, Ok(Way::Auto)),
            ("auto", None, Some("true"), false, Err(ErrorCode::InvalidMode)),
            ("auto", Some("auto"), None, false, Ok(Way::Auto)),
            ("auto", Some(""), None, false, Ok(Way::Auto)),
            ("auto", Some("auto"), Some("true"), true, Ok(Way::ContainerBridge)),
            ("auto", Some("local"), None, false, Ok(Way::Local)),
            ("auto", Some("local"), Some("true"), true, Ok(Way::Local)),
            ("auto", Some("bundled"), Some("true"), false, Ok(Way::Bundled)),
            ("auto", Some("container_bridge"), None, true, Ok(Way::ContainerBridge)),
            ("auto", Some("container_bridge"), None, false, Err(ErrorCode::InvalidMode)),
            ("auto", Some("remote"), None, true, Err(ErrorCode::InvalidArgument)),
            ("local", Some("container_bridge"), Some("true"), true, Ok(Way::Local)),
            ("local", Some("remote"), None, false, Ok(Way::Local)),
            ("bundled", Some("local"), None, false, Ok(Way::Bundled)),
            ("container_bridge", Some("local"), None, true, Ok(Way::ContainerBridge)),
            ("container_bridge", None, None, false, Err(ErrorCode::InvalidMode)),
        ];
        for row @ (asked, mode, container, bridge, expected) in rows {
            let inputs = Inputs::read(|name| match name {
                pm::ADAPTER_MODE => mode.map(str::to_owned),
                pm::RUNNING_IN_CONTAINER => container.map(str::to_owned),
                pm::TOKEN => bridge.then(|| "0123456789abcdef0123456789abcdef".to_owned()),
                _ => None,
            });
            let asked = AdapterOverride::parse(asked).unwrap();
            assert_eq!(resolve(asked, &inputs).map_err(|error| error.code), *expected, "{row:?}");
        }
    }
}
