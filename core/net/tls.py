"""Which certificates a connection trusts."""

from __future__ import annotations

import ssl
from pathlib import Path

from core.domain.errors import Forbidden, InvalidInput
from core.settings import settings


def require_readable(path: str) -> None:
    """Refuses a file of certificates that a person may not name: with sign-in the server's other files are not theirs.

    Args:
        path: The file, as a person gave it.

    Raises:
        Forbidden: It lies neither in the data folder nor where the system keeps its certificates.
    """
    config = settings()
    if not config.require_login:
        return
    usual = ssl.get_default_verify_paths()
    folders = [config.data, *(Path(place) for place in (usual.capath, usual.openssl_capath) if place)]
    folders += [Path(file).parent for file in (usual.cafile, usual.openssl_cafile) if file]
    real = Path(path).expanduser().resolve()
    if not any(real.is_relative_to(folder.resolve()) for folder in folders):
        raise Forbidden(
            f"{Path(path).name} lies outside the data folder of this server.",
            "Ask the server's administrator to put the certificates into the data folder or the system's own.",
        )


def trust(ca_bundle: str = "", *, verify: bool = True) -> ssl.SSLContext:
    """The certificates that are trusted; the environment has no say in it.

    Args:
        ca_bundle: File of certificates to trust instead of the usual ones, "" for those.
        verify: Whether the certificate of a server is checked at all.

    Raises:
        InvalidInput: The file cannot be read or holds no certificate.
        Forbidden: A person may not name the file.
    """
    if not (ca_bundle and verify):
        import httpx2  # a quarter of a second, only for those who open a connection

        return httpx2.create_ssl_context(verify=verify, trust_env=False)
    require_readable(ca_bundle)
    try:
        return ssl.create_default_context(cafile=ca_bundle)
    except (OSError, ssl.SSLError) as error:
        raise InvalidInput(
            f"The certificates in {ca_bundle} (ca_bundle) cannot be read ({error}).", "Give a file in PEM form."
        ) from None


def show_certificate(context: ssl.SSLContext, certificate: str, key: str = "", password: str = "") -> None:
    """Makes connections show who Plumbline is (mutual TLS).

    Args:
        context: Of the connections; it is changed.
        certificate: PEM file of the certificate, with those between it and one that the server trusts.
        key: PEM file of its key; "" where the certificate's file has it.
        password: Of the key, "" for none.

    Raises:
        InvalidInput: A file cannot be read, they do not belong together, or the password is wrong.
        Forbidden: A person may not name a file.
    """
    for path in filter(None, (certificate, key)):
        require_readable(path)
    try:
        # Without a password the library would ask for one at the terminal.
        context.load_cert_chain(certificate, key or None, password=lambda: password)
    except (OSError, ssl.SSLError, ValueError) as error:
        raise InvalidInput(
            f"The certificate {certificate} (client_certificate) cannot be used ({error}).",
            "Give the certificate and its key in PEM form, and the password of the key where it has one.",
        ) from None
