//! Rebuilds the server when the bundle of the page, which it embeds, has changed.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=ui/dist");
}
