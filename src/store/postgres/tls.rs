//! Encrypts database connections with rustls, as all other connections. The server's certificate is
//! always verified, so channel binding of the password would add nothing; it would need another
//! library to parse the certificate again.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::{TlsConnector, client};

/// Creates the TLS connector of each host.
#[derive(Clone)]
pub(super) struct PostgresTlsConnector(pub(super) Arc<ClientConfig>);

/// Encrypts the connection to one host.
pub(super) struct PostgresHostTls {
    /// `None` for a Unix socket, which is never encrypted.
    name: Option<ServerName<'static>>,
    config: Arc<ClientConfig>,
}

/// An encrypted connection.
pub(super) struct EncryptedStream<S>(Box<client::TlsStream<S>>);

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S>
    for PostgresTlsConnector
{
    type Stream = EncryptedStream<S>;
    type TlsConnect = PostgresHostTls;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> io::Result<PostgresHostTls> {
        let name = ServerName::try_from(host.to_owned()).ok();
        Ok(PostgresHostTls { name, config: Arc::clone(&self.0) })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for PostgresHostTls {
    type Stream = EncryptedStream<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<EncryptedStream<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            let name = self.name.ok_or_else(|| io::Error::other("the host has no valid name"))?;
            let encrypted = TlsConnector::from(self.config).connect(name, stream).await?;
            Ok(EncryptedStream(Box::new(encrypted)))
        })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for EncryptedStream<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for EncryptedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for EncryptedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_shutdown(context)
    }
}
