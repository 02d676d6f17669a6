"""Waits by boto3's paginators and waiters, several times a second, for what .ci/cli.sh has begun."""

import sys
import time

import boto3

TIMEOUT_SECONDS = 30

ecs = boto3.client("ecs")


def registered(cluster: str, count: str) -> bool:
    pages = ecs.get_paginator("list_container_instances").paginate(
        cluster=cluster, status="ACTIVE", PaginationConfig={"PageSize": 2}
    )
    return sum(len(page["containerInstanceArns"]) for page in pages) == int(count)


def empty(cluster: str, arn: str) -> bool:
    found = ecs.describe_container_instances(cluster=cluster, containerInstances=[arn])
    tasks = [
        task
        for status in ("RUNNING", "STOPPED")
        for task in ecs.list_tasks(cluster=cluster, containerInstance=arn, desiredStatus=status)["taskArns"]
    ]
    described = ecs.describe_tasks(cluster=cluster, tasks=tasks)["tasks"] if tasks else []
    left = [task for task in described if task["lastStatus"] != "STOPPED"]
    return found["containerInstances"][0]["runningTasksCount"] == 0 and not left


condition, *arguments = sys.argv[1:]
deadline = time.monotonic() + TIMEOUT_SECONDS
while not {"registered": registered, "empty": empty}[condition](*arguments):
    if time.monotonic() > deadline:
        sys.exit(f"not {condition} within {TIMEOUT_SECONDS} s")
    time.sleep(0.2)

if condition == "empty":
    names = [arn.split("/")[-1] for arn in ecs.list_services(cluster=arguments[0])["serviceArns"]]
    ecs.get_waiter("services_stable").wait(
        cluster=arguments[0], services=names, WaiterConfig={"Delay": 1, "MaxAttempts": TIMEOUT_SECONDS}
    )
