"""Generated files are fresh; `python -m tests.generated` writes them."""

from tests import generated


def test_generated_files_are_fresh():
    assert generated.stale() == []


def test_a_stale_file_is_noticed(tmp_path):
    for name, make in generated.FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(make())
    assert generated.stale(tmp_path) == []
    first = next(iter(generated.FILES))
    (tmp_path / first).write_text((tmp_path / first).read_text().replace("virtual_loss", "loss"))
    assert generated.stale(tmp_path) == [first]


def test_every_setting_is_in_the_stub_and_on_the_page():
    from tesuji.search.config import SETTINGS

    stub, page = generated.stub(), generated.reference()
    for name in SETTINGS:
        assert f"    {name}: " in stub
        assert f"| `{name}` |" in page
