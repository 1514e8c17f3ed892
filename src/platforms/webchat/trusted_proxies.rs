//! Lists the proxies in front of the chat that are trusted to report a client's address.

use std::net::IpAddr;

use ipnet::IpNet;

/// The addresses of trusted proxies: single ones, or networks such as that of a container.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// Parses addresses and networks, separated by commas: `127.0.0.1, 172.16.0.0/12`. `None` if
    /// one is neither.
    pub fn parse(text: &str) -> Option<Self> {
        let all = text.split(',').map(str::trim).filter(|it| !it.is_empty());
        let network = |it: &str| match it.parse::<IpAddr>() {
            Ok(address) => Some(IpNet::from(address.to_canonical())),
            Err(_) => it.parse().ok(),
        };
        all.map(network).collect::<Option<_>>().map(Self)
    }

    /// Whether no proxy is trusted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a proxy with this address is trusted.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|it| it.contains(&address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_addresses_or_networks() {
        let proxies = TrustedProxies::parse("127.0.0.1, 172.16.0.0/12,fd00::/8").unwrap();
        let trusts = |it: &str| proxies.contains(it.parse().unwrap());
        assert!(trusts("127.0.0.1") && trusts("::ffff:172.18.0.3") && trusts("fd12::1"));
        assert!(!trusts("127.0.0.2") && !trusts("172.32.0.1") && !trusts("fe80::1"));
        assert_eq!(TrustedProxies::parse("proxy.example"), None);
        assert_eq!(TrustedProxies::parse("10.0.0.0/33"), None);
        assert!(!TrustedProxies::parse("").unwrap().contains("127.0.0.1".parse().unwrap()));
        assert!(TrustedProxies::parse(" ,").unwrap().is_empty() && !proxies.is_empty());
    }
}
