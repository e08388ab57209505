"""Which certificates a connection trusts."""

from __future__ import annotations

import ssl

from core.domain.errors import InvalidInput


def trust(ca_bundle: str = "", *, verify: bool = True) -> ssl.SSLContext:
    """The certificates that are trusted; the environment has no say in it.

    Args:
        ca_bundle: File of certificates to trust instead of the usual ones, "" for those.
        verify: Whether the certificate of a server is checked at all.

    Raises:
        InvalidInput: The file cannot be read or holds no certificate.
    """
    if not (ca_bundle and verify):
        import httpx2  # a quarter of a second, only for those who open a connection

        return httpx2.create_ssl_context(verify=verify, trust_env=False)
    try:
        return ssl.create_default_context(cafile=ca_bundle)
    except (OSError, ssl.SSLError) as error:
        raise InvalidInput(
            f"The certificates in {ca_bundle} (ca_bundle) cannot be read ({error}).", "Give a file in PEM form."
        ) from None
