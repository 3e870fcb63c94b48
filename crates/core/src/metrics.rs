//! Counters for Prometheus: calls, how they ended, how long they took.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use parking_lot::Mutex;

/// Upper bounds of the latency buckets, in seconds.
const BUCKETS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 10.0, 60.0];

/// What is counted. Values that can be looked up at any time are not stored here but given to [`Metrics::render`].
#[derive(Debug, Default)]
pub struct Metrics {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    calls: BTreeMap<(&'static str, String), u64>,
    latencies: BTreeMap<&'static str, Latency>,
    decisions: BTreeMap<String, u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Latency {
    buckets: [u64; BUCKETS.len()],
    sum: f64,
    count: u64,
}

/// A value that is looked up when somebody asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gauge {
    pub name: &'static str,
    pub help: &'static str,
    pub kind: &'static str,
    pub value: u64,
}

impl Metrics {
    /// Notes the end of a call.
    pub(crate) fn call(&self, command: &'static str, result: &str, took: Duration) {
        let mut inner = self.inner.lock();
        *inner.calls.entry((command, result.to_owned())).or_default() += 1;
        let latency = inner.latencies.entry(command).or_default();
        let seconds = took.as_secs_f64();
        latency.sum += seconds;
        latency.count += 1;
        for (bound, count) in BUCKETS.iter().zip(&mut latency.buckets) {
            if seconds <= *bound {
                *count += 1;
            }
        }
    }

    /// Notes what the policy said.
    pub(crate) fn decision(&self, decision: &str) {
        *self.inner.lock().decisions.entry(decision.to_owned()).or_default() += 1;
    }

    /// Everything, in Prometheus' text format.
    pub(crate) fn render(&self, gauges: &[Gauge]) -> String {
        let inner = self.inner.lock();
        let mut text = String::new();
        // Writing into a string can't fail.
        let mut line = |line: std::fmt::Arguments<'_>| {
            let _ = writeln!(text, "{line}");
        };
        line(format_args!("# HELP flightdeck_calls_total Calls, by command and by how they ended."));
        line(format_args!("# TYPE flightdeck_calls_total counter"));
        for ((command, result), count) in &inner.calls {
            line(format_args!("flightdeck_calls_total{{command=\"{command}\",result=\"{result}\"}} {count}"));
        }
        line(format_args!("# HELP flightdeck_call_seconds How long calls took."));
        line(format_args!("# TYPE flightdeck_call_seconds histogram"));
        for (command, latency) in &inner.latencies {
            for (bound, count) in BUCKETS.iter().zip(&latency.buckets) {
                line(format_args!("flightdeck_call_seconds_bucket{{command=\"{command}\",le=\"{bound}\"}} {count}"));
            }
            let Latency { sum, count, .. } = latency;
            line(format_args!("flightdeck_call_seconds_bucket{{command=\"{command}\",le=\"+Inf\"}} {count}"));
            line(format_args!("flightdeck_call_seconds_sum{{command=\"{command}\"}} {sum}"));
            line(format_args!("flightdeck_call_seconds_count{{command=\"{command}\"}} {count}"));
        }
        line(format_args!("# HELP flightdeck_decisions_total What the policy said of calls."));
        line(format_args!("# TYPE flightdeck_decisions_total counter"));
        for (decision, count) in &inner.decisions {
            line(format_args!("flightdeck_decisions_total{{decision=\"{decision}\"}} {count}"));
        }
        for Gauge { name, help, kind, value } in gauges {
            line(format_args!("# HELP {name} {help}"));
            line(format_args!("# TYPE {name} {kind}"));
            line(format_args!("{name} {value}"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_hold_everything_below_them() {
        let metrics = Metrics::default();
        metrics.call("x.y", "ok", Duration::from_millis(2));
        metrics.call("x.y", "ok", Duration::from_secs(100));
        metrics.decision("allowed");
        let text = metrics.render(&[Gauge { name: "flightdeck_agents", help: "Agents.", kind: "gauge", value: 3 }]);
        for line in [
            "flightdeck_calls_total{command=\"x.y\",result=\"ok\"} 2",
            "flightdeck_call_seconds_bucket{command=\"x.y\",le=\"0.001\"} 0",
            "flightdeck_call_seconds_bucket{command=\"x.y\",le=\"0.0025\"} 1",
            "flightdeck_call_seconds_bucket{command=\"x.y\",le=\"+Inf\"} 2",
            "flightdeck_call_seconds_count{command=\"x.y\"} 2",
            "flightdeck_decisions_total{decision=\"allowed\"} 1",
            "flightdeck_agents 3",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} is missing in\n{text}");
        }
    }
}
