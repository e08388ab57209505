"""Settings from ``PLUMBLINE_*`` variables; nothing else in core reads the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from core.domain.errors import InvalidInput

PREFIX = "PLUMBLINE_"
STORE_FILE = "plumbline.sqlite"

_REMEDIES = {
    "data": "Give the path of a folder that Plumbline may write to.",
    "database_url": "Give an SQLAlchemy URL such as sqlite:////srv/plumbline.sqlite or "
    "postgresql+psycopg://user@host/plumbline, or unset it to use the data folder.",
    "actor": "Give a name of 1 to 200 characters, or unset it.",
    "require_login": "Give true or false.",
    "port": "Give a whole number from 1 to 65535.",
    "allowed_hosts": "Give host names with commas between them, such as api.example.com,10.0.0.4.",
    "host_variables": "Give hosts with the names of variables, such as "
    "db.bank.example=BANK_PASSWORD; llm.bank.example=LLM_KEY,TEAM_KEY.",
    "llm_key_hosts": "Give host names with commas between them, such as llm.bank.example.",
    "log_level": "Give one of DEBUG, INFO, WARNING, ERROR.",
    "encoder": "Give minilm, or a sentence-transformers model by folder or by name, or unset it.",
    "precision": "Give float32, or bfloat16 where the processor has it.",
    "nli": "Give a cross-encoder for natural language inference by folder or by name, or unset it.",
    "audit_key": "Give at least 16 characters that nobody can guess, or unset it.",
    "audit_earlier_keys": "Give the keys that PLUMBLINE_AUDIT_KEY had before, with ; or a new line between them.",
    "audit_anchors": "Give destinations with commas between them: a file, an https:// address, or smtp://host/mailbox.",
    "smtp_password": "Give the password of the mailbox that anchors are sent from, or unset it.",
    "browser": "Give the path of Chromium, Chrome or Edge, or unset it to take one that is installed.",
    "language": "Give the code of a language, such as en, de or pt-BR.",
}
_SECRET = frozenset({"database_url", "host_variables", "audit_key", "audit_earlier_keys", "smtp_password"})
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Settings(BaseSettings):
    """What can be set from outside.

    Attributes:
        data: Folder of the store, uploads and job logs, as an absolute path.
        database_url: SQLAlchemy URL of the store; by default ``plumbline.sqlite`` in `data`.
        actor: Who acts where nobody has to sign in.
        require_login: Whether every actor must sign in and needs a role in the project.
        port: First port the server tries.
        allowed_hosts: The hosts Plumbline may call; empty allows those a person enters, and none with sign-in.
        host_variables: Hosts, each with the variables of the environment that may be sent there.
        llm_key_hosts: The hosts that get PLUMBLINE_LLM_KEY where a model is named by its address alone.
        log_level: Least severe level that is logged.
        encoder: The sentence encoder: ``minilm``, or a model by folder or by name.
        precision: What the encoder computes in.
        nli: The model for natural language inference, by folder or by name; empty for none.
        language: Whose rules cut sentences.
        browser: The browser that prints reports: Chromium, Chrome or Edge; empty for one that is installed.
        audit_key: The secret that entries of the audit trail are sealed with; without it they are only hashed.
        audit_earlier_keys: The secrets of before, newest or oldest first.
        smtp_password: Of the mailbox that anchors are sent from.
        audit_anchors: Where heads of the audit trail are sent at each sign-off.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore")

    data: Path = Path("data")
    database_url: str = Field(default="", repr=False)
    actor: str = Field(default="local", min_length=1, max_length=200)
    require_login: bool = False
    port: int = Field(default=8501, ge=1, le=65535)
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    host_variables: Annotated[tuple[tuple[str, tuple[str, ...]], ...], NoDecode] = ()
    llm_key_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    encoder: str = Field(default="minilm", min_length=1, max_length=1_000)
    precision: Literal["float32", "bfloat16"] = "float32"
    nli: str = Field(default="", max_length=1_000)
    browser: str = Field(default="", max_length=1_000)
    audit_key: SecretStr | None = Field(default=None, min_length=16, repr=False)
    audit_earlier_keys: Annotated[tuple[SecretStr, ...], NoDecode] = Field(default=(), repr=False)
    smtp_password: SecretStr | None = Field(default=None, repr=False)
    audit_anchors: Annotated[tuple[str, ...], NoDecode] = ()
    language: str = Field(default="en", pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$")

    @field_validator("actor")
    @classmethod
    def _actor_is_a_name(cls, actor: str) -> str:
        if not actor.strip():
            raise ValueError("blank")
        return actor.strip()

    @field_validator("allowed_hosts", "llm_key_hosts", "audit_anchors", mode="before")
    @classmethod
    def _split_hosts(cls, hosts: object) -> object:
        return tuple(host.strip() for host in hosts.split(",") if host.strip()) if isinstance(hosts, str) else hosts

    @field_validator("audit_earlier_keys", mode="before")
    @classmethod
    def _split_keys(cls, keys: object) -> object:
        # No comma: a key may have one.
        return (
            tuple(key for part in re.split(r"[;\n]", keys) if (key := part.strip())) if isinstance(keys, str) else keys
        )

    @field_validator("host_variables", mode="before")
    @classmethod
    def _split_variables(cls, hosts: object) -> object:
        if not isinstance(hosts, str):
            return hosts
        pairs = []
        for entry in (entry.strip() for entry in re.split(r"[;\n]", hosts)):
            host, sign, names = entry.partition("=")
            variables = tuple(name.strip() for name in names.split(",") if name.strip())
            if entry and not (host.strip() and sign and variables and all(map(_VARIABLE.fullmatch, variables))):
                raise ValueError("not HOST=NAME")
            if entry:
                pairs.append((host.strip(), variables))
        return tuple(pairs)

    @field_validator("encoder", "precision", "nli", "browser", "language", mode="before")
    @classmethod
    def _stripped(cls, value: object) -> object:
        return value.strip() if isinstance(value, str) else value

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper_level(cls, level: object) -> object:
        return level.upper() if isinstance(level, str) else level

    @field_validator("data")
    @classmethod
    def _absolute(cls, data: Path) -> Path:
        folder = data.expanduser().absolute()
        if folder.exists() and not folder.is_dir():
            raise ValueError("not a folder")
        return folder

    @model_validator(mode="before")
    @classmethod
    def _default_url(cls, values: dict[str, object]) -> dict[str, object]:
        # A blank variable means "not set", as in most container files.
        return {name: value for name, value in values.items() if value != ""}

    @model_validator(mode="after")
    def _store_in_data(self) -> Settings:
        if not self.database_url:
            object.__setattr__(self, "database_url", f"sqlite:///{self.data / STORE_FILE}")
        elif "://" not in self.database_url:
            raise ValueError("database_url")
        return self


def settings() -> Settings:
    """The settings as the environment has them now; read again only where it has changed.

    Raises:
        InvalidInput: A variable has a value that cannot be used; the message names it.
    """
    # Every write of the store asks: of the variables that are not ours, only the names are read.
    names = [name for name in os.environ if name[: len(PREFIX)].upper() == PREFIX]
    variables = frozenset((name, os.environ.get(name, "")) for name in names)
    try:
        return _settings(variables, _working_folder(), os.path.expanduser("~"))
    except ValidationError as error:
        raise _refusal(error) from None


@lru_cache(maxsize=64)
def _settings(variables: frozenset[tuple[str, str]], working_folder: str, home: str) -> Settings:
    """The settings that these give, which `Settings` reads by itself: a page asks ten times while it is drawn."""
    return Settings()


def _working_folder() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:  # removed meanwhile; an absolute data folder needs none
        return ""


def environment_value(name: str) -> str | None:
    """The value of a variable that a person referred to as ``${NAME}``, or None where it is not set."""
    return os.environ.get(name)


def operator_proxy() -> str:
    """The proxy that this machine's programs go out by, as whoever runs it has set; "" for none."""
    return os.environ.get("HTTPS_PROXY") or os.environ.get("https_proxy") or ""


def forbid_telemetry() -> None:
    """Keeps the model libraries from reporting who uses them; to be called before they are imported."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("DO_NOT_TRACK", "1")


def transport_without_torch() -> None:
    """Keeps POT from loading PyTorch for a solver that is plain C++; to be called before it is imported."""
    os.environ.setdefault("POT_BACKEND_DISABLE_PYTORCH", "1")


def child_environment(*, own: bool = True, **extra: str) -> dict[str, str]:
    """The environment of a process we start: ours, with `extra` on top, and with Plumbline's settings where `own`."""
    kept = {name: value for name, value in os.environ.items() if own or not name.upper().startswith(PREFIX)}
    return {**kept, **extra}


def take_environment(names: Iterable[str], values: Iterable[tuple[str, str]]) -> None:
    """Sets variables of this process, a worker, to what its parent has; those of `names` without a value are unset."""
    for name in names:
        os.environ.pop(name, None)
    os.environ.update(values)


def _refusal(error: ValidationError) -> InvalidInput:
    first = error.errors(include_url=False, include_context=False)[0]
    name = str(first["loc"][0]) if first["loc"] else "database_url"
    quoted = "" if name in _SECRET else f" ({str(first['input'])[:80]!r})"
    return InvalidInput(f"The setting {PREFIX}{name.upper()} has a value that cannot be used{quoted}.", _REMEDIES[name])
