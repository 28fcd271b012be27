//! Faults are found, and correct answers have none.

use cosette_check::{Check, CheckReport};

fn check(lines: &[&str]) -> CheckReport {
    let mut check = Check::new(6);
    lines
        .iter()
        .enumerate()
        .for_each(|(number, line)| check.check_line("a", number + 1, line));
    check.finish()
}

const FAULTS: &str = include_str!("faults.txt");

#[test]
fn what_is_right_has_no_fault() {
    let report = check(&[
        "# a comment",
        "",
        // The first answer of the file.
        FAULTS.lines().nth(2).expect("the file has answers"),
        r#"{"input":"R","line":3,"error":"unreadable","help":null,"span":null}"#,
        r#"{"event":"iteration-started","length":3}"#,
        "R U F, F' U' R'",
        "R U F, F' U' R' x y2 // mine, or yours",
        "UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB, F' U' R'",
        "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2, F2 U2 B2 L' R F' R2 D U R' B2 L' U2 R' B2 R' B' F' R2 U'",
    ]);
    assert_eq!(report.faults, []);
    assert_eq!(
        [
            report.answers,
            report.solutions,
            report.proven_again,
            report.compared
        ],
        [5, 5, 1, 1]
    );
}

#[test]
fn what_is_asked_of_goals_is_no_fault() {
    let report = check(&[
        r#"{"input":"R U F","goal":"cross:D","allowed_moves":"U R F D L B","metric":"htm","optimal":true,"length":1,"solutions":["F'"]}"#,
        r#"{"input":"M U","goal":"solved","allowed_moves":"M U","metric":"stm","optimal":true,"length":2,"solutions":["U' M'"]}"#,
        r#"{"input":"R U","goal":"Solved","metric":"htm","optimal":true,"length":2,"solutions":["U' R'"]}"#,
    ]);
    assert_eq!(
        (report.faults.len(), report.answers, report.not_checked),
        (0, 1, 2),
        "{:?}",
        report.faults
    );
    assert_eq!(
        report.first_not_checked.unwrap(),
        "a:1: its goal is `cross:D`"
    );
    let table = check(&[
        "input,goal,metric,length,solutions",
        "R U F,cross:D,htm,1,F'",
        "R U F,,htm,3,F' U' R'",
    ]);
    assert_eq!(
        (table.faults.len(), table.answers, table.not_checked),
        (0, 1, 1),
        "{:?}",
        table.faults
    );
}

/// The answers of `faults.txt`, each with one of its faults.
#[test]
fn each_fault_is_found() {
    let lines: Vec<&str> = FAULTS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    for pair in lines.chunks(2) {
        let (answer, fault) = (
            pair[0],
            pair[1]
                .strip_prefix("  ")
                .expect("a fault stands below each answer"),
        );
        let faults = check(&[answer]).faults;
        let faults: Vec<&str> = faults.iter().map(|fault| fault.what.as_str()).collect();
        assert!(
            if fault == "none" {
                faults.is_empty()
            } else {
                faults.contains(&fault)
            },
            "{answer}: {faults:?}"
        );
    }
}

/// A false answer is found, and is not held against a right one.
#[test]
fn what_is_refuted_says_nothing_of_others() {
    let right = FAULTS.lines().nth(2).expect("the file has answers");
    let wrong = r#"{"input":"R U F","metric":"htm","optimal":true,"length":2,"lower_bound":2,"upper_bound":2,"solutions":["F' U'"]}"#;
    for lines in [[right, wrong], [wrong, right]] {
        let faults = check(&lines).faults;
        let of_right = 1 + lines
            .iter()
            .position(|line| *line == right)
            .expect("it is one of the two");
        assert!(
            !faults.is_empty() && faults.iter().all(|fault| fault.line != of_right),
            "{faults:?}"
        );
    }
}

#[test]
fn pairs_may_be_quoted_and_have_a_header() {
    for lines in [
        &["position,solution", "R U F,F' U' R'"][..],
        &["\"Position\",\"Solution\"", "\"R U F\",\"F' U' R'\""],
        &["\"R U F\",\"F' U' R'\""],
        &["R U F\tF' U' R'"],
    ] {
        let report = check(lines);
        assert!(
            report.answers == 1 && report.solutions == 1 && report.faults.is_empty(),
            "{lines:?}: {:?}",
            report.faults
        );
    }
}

#[test]
fn rows_of_data_sets_are_answers() {
    let facelets = "UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB";
    let row = |length: u8, solution: &str| {
        format!(
            r#"{{"index":1,"facelets":"{facelets}","metric":"htm","length":{length},"solution":"{solution}"}}"#
        )
    };
    let table = format!("0,{facelets},htm,1,R',R',1 2");
    let head = "index,facelets,metric,length,solution,optimal_moves,neighbor_distances";
    let report = check(&[head, &table, &row(1, "R'")]);
    assert_eq!(
        (report.faults.len(), report.answers, report.solutions),
        (0, 2, 2),
        "{:?}",
        report.faults
    );
    assert!(!check(&[&row(2, "R U")]).faults.is_empty());
}

#[test]
fn each_fault_of_a_table_is_found() {
    for (row, fault) in [
        ("R U F,3", "it has 2 cells, but the header names 3 columns"),
        (
            "R U F,three,F' U' R'",
            "`three` in the column length is not a number",
        ),
        (
            "R U F,2,F' U' R'",
            "`F' U' R'` has 3 moves, not the proven length",
        ),
        ("R U F,3,", "it has a proven length, but no solution"),
    ] {
        let faults = check(&["input,length,solutions", row]).faults;
        assert!(
            faults
                .iter()
                .any(|found| found.line == 2 && found.what == fault),
            "{row}: {faults:?}"
        );
    }
    assert_eq!(
        check(&["input,length,solutions", "R U F,3,F' U' R'"]).faults,
        []
    );
}

#[test]
fn bounds_of_two_answers_contradict_each_other_in_either_order() {
    let claim = |bound: &str| {
        format!(r#"{{"input":"R2 B' U2 R' F' D2 L B2 R' U","solutions":[],{bound}}}"#)
    };
    let [upper, lower] = [r#""upper_bound":15"#, r#""lower_bound":17"#].map(claim);
    for lines in [[&upper, &lower], [&lower, &upper]] {
        assert_eq!(
            check(&lines.map(String::as_str)).faults.len(),
            1,
            "{lines:?}"
        );
    }
}

#[test]
fn answers_to_positions_of_one_class_are_compared() {
    // Ten moves, and a wrong proof that eleven are needed for the inverse in a mirror.
    let proof = r#"{"input":"L2 B U2 L F D2 R' B2 L U'","metric":"htm","optimal":false,"length":null,"lower_bound":11,"solutions":[]}"#;
    let solution = "R2 B' U2 R' F' D2 L B2 R' U, U' R B2 L' D2 F R U2 B R2";
    for lines in [[proof, solution], [solution, proof]] {
        let report = check(&lines);
        assert_eq!(
            (report.faults.len(), report.compared),
            (1, 1),
            "{:?}",
            report.faults
        );
        assert_eq!(report.faults[0].line, 2);
    }
}
