"""A design and its inputs go out as objects of Kubernetes, and come in again. K-51."""

from __future__ import annotations

import yaml

from workbench import Workbench


def test_the_objects_open_again_and_the_status_says_what_is_not_in_them(tmp_path):
    bench = Workbench.example("multitenancy")
    bench.add_request("system-high", "more", {"vcore": "1", "pods": "1"}, queue="root.system.system-high")
    bench.save_kubernetes(tmp_path / "objects")
    assert bench.status.call == f'bench.save_kubernetes("{tmp_path / "objects"}")'
    assert bench.status.text.startswith(f"Design and inputs are in {tmp_path / 'objects'}, as objects of Kubernetes.")
    assert "The first pod of an application is its originator" in bench.status.text
    again = Workbench.open(tmp_path / "objects")
    assert {item.ask.key for item in again.simulation.waiting()} == {item.ask.key for item in bench.simulation.waiting()}


def test_a_design_out_of_a_configmap_is_put_back_into_it(tmp_path):
    text = str(Workbench.example("multitenancy").to_configmap(others={"log.level": "debug"}))
    bench = Workbench.from_configmap(text.replace("metadata:", "metadata:  # ours"))
    bench.save_kubernetes(tmp_path / "all.yaml")
    assert "# ours" in (tmp_path / "all.yaml").read_text()
    (config,) = (each for each in yaml.safe_load_all((tmp_path / "all.yaml").read_text()) if each["kind"] == "ConfigMap")
    assert config["data"]["log.level"] == "debug"
