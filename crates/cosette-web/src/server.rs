//! The parts of the server put together.

use crate::args::Args;
use crate::desk::Desk;
use crate::fillings::Fillings;
use crate::loaded::Loaded;
use crate::{api, guard, page};
use axum::Router;
use axum::middleware::from_fn;
use cosette::table::TableFolder;
use std::sync::Arc;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

/// What the handlers share.
pub struct Server {
    /// The tables in memory.
    pub tables: Loaded,
    /// The searches under way.
    pub desk: Arc<Desk>,
    /// The tables that are being filled.
    pub fillings: Fillings,
}

impl Server {
    /// A server as it is asked for.
    pub fn new(args: &Args, folder: TableFolder) -> Server {
        Server {
            tables: Loaded::new(args, folder),
            desk: Arc::new(Desk::new(args.searches, args.queue)),
            fillings: Fillings::default(),
        }
    }

    /// Asks all that is under way to stop.
    pub fn close(&self) {
        self.desk.close();
        self.fillings.stop_all();
    }
}

/// Everything that the server answers.
pub fn router(server: Arc<Server>) -> Router {
    // What comes bit by bit must not wait in a compressor.
    let whole = DefaultPredicate::new().and(NotForContentType::const_new(crate::stream::JSON_LINES));
    Router::new()
        .nest(api::BASE, api::router(server))
        .fallback(axum::routing::get(page::file))
        .layer(CompressionLayer::new().compress_when(whole))
        .layer(from_fn(guard::guard))
}
