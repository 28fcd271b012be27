//! Values of the library as JSON.

use cosette::cube::{Cube, random_positions};

#[test]
fn a_position_is_its_facelets() {
    for cube in random_positions(1).take(3) {
        let text = serde_json::to_string(&cube).unwrap();
        assert_eq!(text, format!("\"{}\"", cube.facelets()));
        assert_eq!(serde_json::from_str::<Cube>(&text).unwrap(), cube);
    }
    for refused in ["\"R U\"", "5", &format!("\"{}\"", "U".repeat(54))] {
        assert!(serde_json::from_str::<Cube>(refused).is_err(), "{refused}");
    }
}
