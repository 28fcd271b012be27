//! Says when the server is to be built anew: when the page's bundle, which it holds within itself, has changed.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=ui/dist");
}
