"""How a box gets a newer version: what it trusts, and that it says so."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.tools import tool

FETCH = Path(__file__).parents[2] / ".setup" / "pi" / "fetch"


class Checkout:
    """A remote with one version, a box's checkout of it, and a key that the box trusts."""

    def __init__(self, folder: Path) -> None:
        self.remote, self.box, self.keys = folder / "remote", folder / "box", folder / "keys"
        self.keys.mkdir()
        (self.remote / ".setup" / "pi").mkdir(parents=True)
        shutil.copy(FETCH, self.remote / ".setup" / "pi")
        self.git(self.remote, "init", "--quiet", "--initial-branch=main")
        self.change("first")
        self.git(folder, "clone", "--quiet", str(self.remote), str(self.box))
        trusted = self.key("trusted").with_suffix(".pub").read_text()
        (self.keys / "signers").write_text(f"maintainers@example.org {trusted}")
        other = self.key("of the owner").with_suffix(".pub").read_text()
        (self.keys / "owners").write_text(f"maintainers@example.org {other}")
        self.git(self.box, "config", "gpg.ssh.allowedSignersFile", str(self.keys / "owners"))

    def git(self, where: Path, *words: str) -> str:
        settings = ("user.name=M", "user.email=maintainers@example.org", "gpg.format=ssh")
        command = [tool("git"), *(part for one in settings for part in ("-c", one)), *words]
        done = subprocess.run(
            command, cwd=where, env=self.environment, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    @property
    def environment(self) -> dict[str, str]:
        own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        return {**os.environ, **own, "DUDO_SIGNERS": str(self.keys / "signers")}

    def key(self, name: str) -> Path:
        path = self.keys / name
        if not path.exists():
            subprocess.run([tool("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
        return path

    def change(self, name: str) -> None:
        (self.remote / "version").write_text(name)
        self.git(self.remote, "add", ".")
        self.git(self.remote, "commit", "--quiet", "--message", name)

    def tag(self, name: str, key: str | None) -> None:
        how = ["--sign"] if key else ["--annotate"]
        signing = ["-c", f"user.signingkey={self.key(key)}"] if key else []
        self.git(self.remote, *signing, "tag", *how, "--message", name, name)

    def fetch(self, *words: str) -> subprocess.CompletedProcess[str]:
        script = self.box / ".setup" / "pi" / "fetch"
        return subprocess.run([script, *words], env=self.environment, capture_output=True, text=True)

    def has(self) -> str:
        return (self.box / "version").read_text()


@pytest.fixture
def checkout(tmp_path):
    return Checkout(tmp_path)


def test_without_a_signature_it_says_whom_it_trusts(checkout):
    checkout.change("second")
    done = checkout.fetch()
    assert (done.returncode, checkout.has()) == (0, "second")
    assert f"this trusts {checkout.remote} and everybody who may write there" in done.stdout


@pytest.mark.parametrize(
    ("key", "words", "has", "reason"),
    [
        ("trusted", "v0.2.0 has a good signature", "second", "a key that the box trusts"),
        ("stranger", "v0.2.0 has no good signature", "first", "a key of somebody else"),
        ("of the owner", "v0.2.0 has no good signature", "first", "a key that git trusts, not the box"),
        (None, "v0.2.0 has no good signature", "first", "a tag that nobody signed"),
    ],
)
def test_only_a_good_signature_is_taken(checkout, key, words, has, reason):
    checkout.tag("v0.1.0", "trusted")
    checkout.change("second")
    checkout.tag("v0.2.0", key)
    checkout.change("third, not yet tagged")
    done = checkout.fetch("--signed")
    assert words in done.stdout + done.stderr, reason
    assert checkout.has() == has, reason
    assert done.returncode == (has == "first")


def test_an_older_version_is_not_gone_back_to(checkout):
    checkout.tag("v0.1.0", "trusted")
    checkout.change("second")
    checkout.fetch()
    done = checkout.fetch("--signed")
    assert "is older than what is here" in done.stderr
    assert checkout.has() == "second"


def test_an_old_signed_tag_under_a_new_name_is_not_taken(checkout):
    checkout.change("second")
    checkout.tag("v0.1.0", "trusted")
    checkout.git(checkout.remote, "update-ref", "refs/tags/v9.0.0", "refs/tags/v0.1.0")
    done = checkout.fetch("--signed")
    assert "v9.0.0 was signed as v0.1.0" in done.stderr
    assert (done.returncode, checkout.has()) == (1, "first")


def test_a_program_that_finds_every_signature_good_is_not_asked(checkout):
    checkout.change("second")
    checkout.tag("v0.2.0", "stranger")
    for name in ("gpg.ssh.program", "gpg.program", "gpg.openpgp.program"):
        checkout.git(checkout.box, "config", name, "true")
    assert checkout.fetch("--signed").returncode == 1
    assert checkout.has() == "first"


def test_without_a_key_that_the_box_holds_nothing_is_taken(checkout):
    checkout.tag("v0.2.0", "trusted")
    (checkout.keys / "signers").write_text("")
    done = checkout.fetch("--signed")
    assert (done.returncode, "has no key" in done.stderr) == (1, True)


def test_without_tags_nothing_is_taken(checkout):
    done = checkout.fetch("--signed")
    assert (done.returncode, done.stderr) == (1, "fetch: there is no version tag yet.\n")
