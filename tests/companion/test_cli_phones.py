"""Commands about the camera, where phones take the pictures: there is nothing to calibrate or to test."""

import pytest

from companion.__main__ import main


@pytest.fixture
def settings(tmp_path):
    file = tmp_path / "companion.toml"
    folder = f'[data]\nfolder = "{tmp_path}/data"\n'
    file.write_text(f'{folder}[camera]\nuse = "phones"\n[box]\npins = "mock"\n', encoding="utf-8")
    return file


@pytest.mark.parametrize("more", [(), ("--empty",)])
def test_nothing_is_calibrated(settings, more, capsys):
    assert main(["calibrate", "--config", str(settings), *more]) == 1
    assert (
        capsys.readouterr().err
        == "dudo calibrate: Phones take the pictures, so there is nothing to calibrate.\n"
    )


def test_no_picture_is_asked_of_the_test_of_parts(settings, capsys):
    assert main(["hardware-test", "--config", str(settings), "--no-questions"]) == 0
    output = capsys.readouterr()
    assert "Camera: phones" in output.out
    assert output.err == ""
