//! `cosette fmc`.

use crate::support::{cosette, json_lines, tables};
use predicates::prelude::*;
use predicates::str::contains;

const SCRAMBLE: &str = "R2 U2 F2 D R2 U F";
const STEPS: &str = "eo[max=1] > dr[max=2] > htr[max=3] > finish[max=6]";

#[test]
fn what_is_printed_can_be_gone_on_from() {
    let all = cosette()
        .args(["fmc", SCRAMBLE, "--steps", STEPS])
        .output()
        .unwrap();
    let printed = String::from_utf8(all.stdout).unwrap();
    assert!(
        printed.contains("proven: no skeleton of these steps is shorter"),
        "{printed}"
    );
    // The lines of the steps, with their comments.
    let steps: Vec<&str> = printed
        .lines()
        .take_while(|line| line.contains("// ") && !line.contains("moves:"))
        .collect();
    assert!(steps.len() > 1 && steps[0].contains("// eo:"), "{printed}");
    let on = cosette()
        .args([
            "fmc",
            SCRAMBLE,
            "--from",
            &steps[..2].join("\n"),
            "--steps",
            "dr[max=0] > htr > finish",
        ])
        .output()
        .unwrap();
    let on = String::from_utf8(on.stdout).unwrap();
    assert!(on.contains("// so far (") && on.contains("proven"), "{on}");
    let whole = steps.join("\n");
    cosette()
        .args(["fmc", SCRAMBLE, "--from", &whole, "--steps", "finish"])
        .assert()
        .success()
        .stdout(contains("finish (0/"));
}

#[test]
fn what_is_printed_is_a_write_up() {
    let printed = cosette()
        .args(["fmc", SCRAMBLE, "--steps", STEPS])
        .output()
        .unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    let write_up = format!("{SCRAMBLE}\n{printed}");
    let check = |text: &str| {
        cosette()
            .args(["check", "--write-up"])
            .write_stdin(text.to_owned())
            .assert()
    };
    check(&write_up)
        .success()
        .stdout(contains("solved in ").and(contains("no errors")));
    check(&write_up.replace("// eo", "// finish"))
        .code(1)
        .stdout(contains("line 2: finish is not reached here"));
}

#[test]
fn scrambles_of_a_list_are_answered_in_turn() {
    let list = format!("{SCRAMBLE}\nR U F\n");
    let output = cosette()
        .args(["fmc", "--json", "--all", "--steps", "eo[max=1]"])
        .write_stdin(list)
        .output()
        .unwrap();
    let answers = json_lines(&output.stdout);
    assert_eq!(
        (answers.len(), &answers[1]["line"], &answers[1]["input"]),
        (2, &2.into(), &"R U F".into())
    );
    assert_eq!(answers[0]["status"]["reductions"][0], "eo:RL");
}

#[test]
fn a_claim_names_what_it_is_made_over() {
    let printed = |scramble: &str, args: &[&str], code: i32| {
        let mut command = cosette();
        command.arg("fmc").arg(scramble).args(args);
        String::from_utf8(command.assert().code(code).get_output().stdout.clone()).unwrap()
    };
    // Edges are oriented along F and B, which nobody asked to keep.
    let found = printed("R U", &["--steps", "dr:FB"], 0);
    assert!(
        found.contains("(2/2)")
            && found.ends_with("// proven: no skeleton of these steps is shorter\n"),
        "{found}"
    );
    let kept = printed("R U", &["--steps", "eo[max=0] > dr:FB[max=2]"], 4);
    assert!(
        kept.contains("no skeleton of these steps within the limits (eo[max=0]); there may be"),
        "{kept}"
    );
    let limited = printed(SCRAMBLE, &["--steps", STEPS], 0);
    assert!(
        limited.ends_with("is shorter within the limits (eo[max=1], dr[max=2], htr[max=3])\n"),
        "{limited}"
    );
    let given = printed("R U F", &["--steps", "eo:FB", "--from", "F'"], 0);
    assert!(
        given.contains("is shorter, except those that undo more than the last given turns"),
        "{given}"
    );
    let superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
    assert!(!printed(superflip, &["--json"], 4).contains("\"proven\":true"));
}

#[test]
fn insertions_are_found() {
    let mut command = cosette();
    command
        .args([
            "fmc",
            "D2 R U R' D2 R U' R2",
            "--insert",
            "--from",
            "R",
            "--tables",
        ])
        .arg(tables());
    command
        .assert()
        .success()
        .stdout(contains("three corners left: 2 insertions").and(contains("// 8 moves: ")));
}

#[test]
fn what_cannot_be_asked_is_refused() {
    for (args, error) in [
        (&["--steps", "eo > do"][..], "--steps: `do` is not a step"),
        (
            &["--from", "R", "--steps", "dr[triggers=R]"],
            "--steps: dr with triggers cannot be the first step",
        ),
        (&["--from", "(U"], "--from: the parenthesis"),
        (&["--insert", "--from", "R"], "--from: these moves leave"),
    ] {
        let refused = cosette()
            .arg("fmc")
            .arg(SCRAMBLE)
            .args(args)
            .output()
            .unwrap();
        let stderr = String::from_utf8(refused.stderr).unwrap();
        assert!(
            !refused.status.success() && stderr.contains(error),
            "{args:?}: {stderr}"
        );
    }
}
