//! Faults are found, and correct answers have none.

use cosette_check::{Check, Report};

fn check(lines: &[&str]) -> Report {
    let mut check = Check::new(6);
    lines.iter().enumerate().for_each(|(number, line)| check.check_line("a", number + 1, line));
    check.finish()
}

/// An answer to `R U F`, which has one shortest solution.
fn answer(changes: &[(&str, &str)]) -> String {
    let mut json = r#"{"input":"R U F","format":"moves","facelets":"UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB","metric":"htm","optimal":true,"length":3,"lower_bound":3,"upper_bound":3,"solutions":["F' U' R'"],"solution_count":1,"complete":true,"stopped":null,"best_known":null,"thresholds":[{"length":3,"exhausted":true}]}"#.to_owned();
    for (from, to) in changes {
        assert!(json.contains(from), "{from}");
        json = json.replace(from, to);
    }
    json
}

#[test]
fn what_is_right_has_no_fault() {
    let report = check(&[
        "# a comment",
        "",
        &answer(&[]),
        r#"{"input":"R","line":3,"error":"unreadable","help":null,"span":null}"#,
        r#"{"event":"threshold-started","length":3}"#,
        "R U F, F' U' R'",
        "R U F, F' U' R' x y2",
        "UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB, F' U' R'",
        "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2, F2 U2 B2 L' R F' R2 D U R' B2 L' U2 R' B2 R' B' F' R2 U'",
    ]);
    assert_eq!(report.faults, []);
    assert_eq!([report.answers, report.solutions, report.proven_again, report.compared], [5, 5, 1, 1]);
}

#[test]
fn each_fault_is_found() {
    for (line, fault) in [
        ("R U F, F' U' R".to_owned(), "`F' U' R` does not solve the position"),
        ("R U F, F' Q R".to_owned(), "`Q` in a solution is not a turn"),
        ("R U Q, F".to_owned(), "`Q` in the position is not a turn"),
        ("R U F".to_owned(), "expected `position, solution`, or JSON"),
        ("{\"a\":".to_owned(), "not the JSON of an answer: EOF while parsing a value at line 1 column 5"),
        (answer(&[("R U F\"", "R U F2\"")]), "its facelets are not those of its moves"),
        (answer(&[("\"F' U' R'\"", "\"F' U' R'\",\"F' U' R'\"")]), "`solution_count` is not the number of solutions"),
        (
            answer(&[("\"F' U' R'\"", "\"F' U' R'\",\"F' U' R'\""), ("count\":1", "count\":2"), ("true}]", "false}]")]),
            "`F' U' R'` is listed twice",
        ),
        (answer(&[("F' U' R'", "F' U' R R2")]), "`F' U' R R2` has 4 moves, not the proven length"),
        (answer(&[("optimal\":true", "optimal\":false")]), "`optimal` and `length` contradict each other"),
        (answer(&[("htm", "stm")]), "the metric `stm` is not known"),
        (
            answer(&[
                ("F' U' R'", "F' U' R R R"),
                ("3,\"l", "5,\"l"),
                ("bound\":3", "bound\":5"),
                ("h\":3,\"e", "h\":5,\"e"),
            ]),
            "it has a solution of 3 moves, but it says that there is none",
        ),
        (
            r#"{"input":"R U F","optimal":true,"solutions":["F' U' R' R2 R2"]}"#.to_owned(),
            "it has a solution of 3 moves, but it says that there is none",
        ),
        (
            r#"{"input":"R U F","upper_bound":2,"best_known":"F' U' R'"}"#.to_owned(),
            "it has no solution within its upper bound of 2 moves",
        ),
        (
            r#"{"input":"R U F","thresholds":[{"length":19,"exhausted":true}]}"#.to_owned(),
            "it has a solution of 3 moves, but it says that there is none",
        ),
        (
            // The edge UF is flipped.
            "UUUUUUUFURRRRRRRRRFUFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB, R".to_owned(),
            "no sequence of moves leads to the position",
        ),
        (
            r#"{"event":"answer","error":"x","input":"R U F","length":1,"solutions":["R"]}"#.to_owned(),
            "`R` does not solve the position",
        ),
        (
            r#"{"input":"R U F","thresholds":[{"length":18446744073709551615,"exhausted":true}]}"#.to_owned(),
            "it has a solution of 3 moves, but it says that there is none",
        ),
        (
            r#"{"input":"R U F","optimal":true,"solutions":["F' U' R'","F' U' R R2 R2 R2"]}"#.to_owned(),
            "`F' U' R R2 R2 R2` has 6 moves, not the proven length",
        ),
        (
            // The corner URF is its own mirror image.
            "UUUUUUUUUFRRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB, R".to_owned(),
            "no sequence of moves leads to the position",
        ),
        (r#"{"input":"R U F","solutions":["\u001b[2J"]}"#.to_owned(), "`\\u{1b}[2J` in a solution is not a turn"),
        (
            // Eight shortest solutions, of which one is listed.
            "{\"input\":\"R2 U2 R2 U2 R2 U2\",\"length\":6,\"optimal\":true,\"solutions\":[\"U2 R2 U2 R2 U2 R2\"],\
             \"thresholds\":[{\"length\":6,\"exhausted\":true}]}"
                .to_owned(),
            "it has 8 shortest solutions, but lists 1 as all of them",
        ),
        (answer(&[("[\"F' U' R'\"]", "[]"), ("count\":1", "count\":0")]), "it has a proven length, but no solution"),
        (
            r#"{"input":"R U F","lower_bound":9,"best_known":"F' U' R'"}"#.to_owned(),
            "it has a solution of 3 moves, but says that none is shorter than 9",
        ),
        (
            r#"{"input":"R U F","lower_bound":9,"upper_bound":8,"solutions":[]}"#.to_owned(),
            "it says that no solution is shorter than 9, but its upper bound is 8",
        ),
        (
            r#"{"input":"R U F","lower_bound":21,"solutions":[]}"#.to_owned(),
            "it says that no solution is shorter than 21, but no position needs so many moves",
        ),
        (r#"{"length":3,"solutions":[]}"#.to_owned(), "it has neither `facelets` nor `input`"),
        (
            "UUUUUUUUURRRRURRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB, R".to_owned(),
            "two centres have the same colour, or a facelet has none of the six",
        ),
    ] {
        let faults = check(&[&line]).faults;
        let faults: Vec<&str> = faults.iter().map(|fault| fault.what.as_str()).collect();
        assert!(faults.contains(&fault), "{line}: {faults:?}");
    }
}

#[test]
fn each_fault_of_a_table_is_found() {
    for (row, fault) in [
        ("R U F,3", "it has 2 cells, but the header names 3 columns"),
        ("R U F,three,F' U' R'", "`three` in the column length is not a number"),
        ("R U F,2,F' U' R'", "`F' U' R'` has 3 moves, not the proven length"),
        ("R U F,3,", "it has a proven length, but no solution"),
    ] {
        let faults = check(&["input,length,solutions", row]).faults;
        assert!(faults.iter().any(|found| found.line == 2 && found.what == fault), "{row}: {faults:?}");
    }
    assert_eq!(check(&["input,length,solutions", "R U F,3,F' U' R'"]).faults, []);
}

#[test]
fn bounds_of_two_answers_contradict_each_other_in_either_order() {
    let claim = |bound: &str| format!(r#"{{"input":"R2 B' U2 R' F' D2 L B2 R' U","solutions":[],{bound}}}"#);
    let [upper, lower] = [r#""upper_bound":15"#, r#""lower_bound":17"#].map(claim);
    for lines in [[&upper, &lower], [&lower, &upper]] {
        assert_eq!(check(&lines.map(String::as_str)).faults.len(), 1, "{lines:?}");
    }
}

#[test]
fn answers_to_positions_of_one_class_are_compared() {
    // Ten moves, and a wrong proof that eleven are needed for the inverse in a mirror.
    let proof = r#"{"input":"L2 B U2 L F D2 R' B2 L U'","metric":"htm","optimal":false,"length":null,"lower_bound":11,"solutions":[]}"#;
    let solution = "R2 B' U2 R' F' D2 L B2 R' U, U' R B2 L' D2 F R U2 B R2";
    for lines in [[proof, solution], [solution, proof]] {
        let report = check(&lines);
        assert_eq!((report.faults.len(), report.compared), (1, 1), "{:?}", report.faults);
        assert_eq!(report.faults[0].line, 2);
    }
}
