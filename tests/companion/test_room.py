"""Room on the memory card: what the box gives up, and what stays."""

from companion.app.system.wishes import Room
from companion.reveal.evidence import FILE, Evidence, Example, Label
from companion.side_files import SideFile
from companion.table.folder import Reserve

JPEG = bytes(400_000)


def test_old_pictures_and_damaged_files_go_and_the_rest_stays(tmp_path):
    evidence = Evidence(SideFile(tmp_path / FILE))
    old = [evidence.keep("before", JPEG, b"clean") for _ in range(25)]
    now = evidence.keep("now", JPEG)
    evidence.keep_examples([Example(old[0], (Label(0.5, 0.5, 0.1, 3, ""),))])
    (tmp_path / "taught.json.damaged").write_bytes(bytes(3_000_000))
    (tmp_path / "taught.json").write_text("{}")
    room = Room(tmp_path, evidence, Reserve(tmp_path / "reserve"), lambda: "now")
    assert room.spare_mb() == 14
    room.make()
    assert room.spare_mb() == 0
    assert [evidence.picture(name) for name in (old[0], now)] == [None, JPEG]
    assert len(evidence.examples()) == 1
    assert {path.name for path in tmp_path.iterdir()} >= {"taught.json", "reserve"}
    assert not (tmp_path / "taught.json.damaged").exists()
    assert (tmp_path / FILE).stat().st_size < 1_000_000, "the file itself has become smaller"
    evidence.close()
