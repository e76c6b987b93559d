"""Works with the catalog of a store, and prints what it saw. Started by server/test/api/sdk-python/package.test.ts."""

import json
import os
from typing import Iterator

from aisle_sdk import Client, PushProgress
from aisle_sdk.models import CatalogJob, ProductUpdate

STORE = os.environ["STORE"]
read_rows: list[str] = []
progress: list[CatalogJob] = []
pushed: list[PushProgress] = []


def rows() -> Iterator[ProductUpdate]:
    for sku in ("SKU-00001", "UNKNOWN", "SKU-00002", "SKU-00003", "SKU-00004", "SKU-00001", "SKU-00002"):
        read_rows.append(sku)
        yield {"sku": sku, "quantity": 77}


with Client(
    os.environ["AISLE_URL"], client_id=os.environ["CLIENT_ID"], client_secret=os.environ["CLIENT_SECRET"]
) as aisle:
    push = aisle.push_catalog(
        rows(), vendor_id=STORE, rows_per_job=2, unfinished_jobs=1, poll=0.1, on_progress=pushed.append
    )
    jobs = []
    for job in push:
        jobs.append({"total": job["progress"]["total"], "read": len(read_rows)})
    products: list[ProductUpdate] = [{"sku": "SKU-00001", "price": 2.5}, {"sku": "UNKNOWN", "price": 2}]
    finished = aisle.update_catalog(vendor_id=STORE, body={"products": products}).finished(
        on_progress=progress.append, poll=0.1
    )
    assert "job_id" in finished
    single = aisle.update_catalog(vendor_id=STORE, body={"products": [{"sku": "SKU-00002", "price": 3.5}]})
    export = aisle.export_catalog(vendor_id=STORE).finished(poll=0.1)
    with aisle.download_catalog_job(job_id=export["job_id"]) as download:
        lines = download.text().strip().split("\n")
    upload = aisle.upload_file(folder="/catalog/all", name="prices.csv", body=iter([b"sku,price\n", b"SKU-00003,4.5\n"]))
    print(
        json.dumps(
            {
                "chain": aisle.whoami()["chain"]["chain_id"],
                "jobs": jobs,
                "counts": vars(pushed[-1].finished),
                "accepted": pushed[-1].accepted,
                "finished": finished,
                "last_progress": progress[-1],
                "single": single.finished() == single.response,
                "outcomes": list(aisle.download_catalog_job_rows(job_id=finished["job_id"])),
                "export_rows": len(lines) - 1,
                "skus": [one["sku"] for one in aisle.list_catalog_all(vendor_id=STORE, page_size=2)],
                "upload": upload,
            }
        )
    )
