# Deploys what `npx ecs-ami-deploy template -c clusters=web` wrote here, and leaves to rolls what they change of a group.

variable "bucket" {
  type        = string
  description = "Of this Region; the function's code and the template are put there"
}

variable "image" {
  type        = string
  description = "That the group has at first"
}

variable "subnets" {
  type = list(string)
}

provider "aws" {
  # Those with a colon are yours.
  ignore_tags {
    key_prefixes = ["ecs-ami-deploy-"]
  }
}

data "aws_s3_bucket" "code" {
  bucket = var.bucket
}

locals {
  folder = "${path.module}/ecs-ami-deploy-template"
  template = replace(
    file("${local.folder}/template.json"),
    "\"./function\"",
    jsonencode({ S3Bucket = var.bucket, S3Key = aws_s3_object.function.key }),
  )
}

data "archive_file" "function" {
  type        = "zip"
  source_dir  = "${local.folder}/function"
  output_path = "${path.module}/function.zip"
}

resource "aws_s3_object" "function" {
  bucket = var.bucket
  key    = "ecs-ami-deploy/${data.archive_file.function.output_sha256}.zip"
  source = data.archive_file.function.output_path
}

# With many settings it is too long to be passed by itself.
resource "aws_s3_object" "template" {
  bucket  = var.bucket
  key     = "ecs-ami-deploy/${sha256(local.template)}.json"
  content = local.template
}

resource "aws_cloudformation_stack" "ecs_ami_deploy" {
  name         = "ecs-ami-deploy"
  capabilities = ["CAPABILITY_IAM"]
  template_url = "https://${data.aws_s3_bucket.code.bucket_regional_domain_name}/${aws_s3_object.template.key}"
}

resource "aws_launch_template" "web" {
  name_prefix = "web-"
  image_id    = var.image

  lifecycle {
    ignore_changes = [image_id, block_device_mappings, default_version]
  }
}

resource "aws_autoscaling_group" "web" {
  name                = "web"
  min_size            = 1
  max_size            = 8
  vpc_zone_identifier = var.subnets

  launch_template {
    id = aws_launch_template.web.id
  }

  lifecycle {
    ignore_changes = [launch_template[0].version, desired_capacity, min_size, max_size, suspended_processes]
  }
}
