//! Faults are found, and correct answers have none.

use cosette_check::{Check, CheckReport};

const FAULTS: &str = include_str!("faults.txt");

/// Writes the numbers of a report.
fn counts(report: &CheckReport) -> String {
    let first = report.first_not_checked.iter();
    let first: String = first.map(|first| format!(" ({first})")).collect();
    format!(
        "= {} answers, {} solutions, {} proven again, {} compared, {} not checked{first}",
        report.answers, report.solutions, report.proven_again, report.compared, report.not_checked
    )
}

#[test]
fn each_fault_is_found() {
    for text in FAULTS.split("\n\n").skip(1) {
        let mut check = Check::new(6);
        let mut expected = Vec::new();
        let mut expected_counts = None;
        let mut number = 0;
        for line in text.lines() {
            if let Some(fault) = line.strip_prefix("  ") {
                expected.push(format!("a:{number}: {fault}"));
            } else if line.starts_with("= ") {
                expected_counts = Some(line.to_owned());
            } else {
                number += 1;
                check.check_line("a", number, line);
            }
        }
        check.check_line("a", number + 1, "");
        let report = check.finish();
        let faults: Vec<String> = report.faults.iter().map(ToString::to_string).collect();
        assert_eq!(faults, expected, "{text}");
        assert_eq!(
            expected_counts.unwrap_or(counts(&report)),
            counts(&report),
            "{text}"
        );
    }
}
