import type { NormalizedSchema } from '@smithy/core/schema';
import type { AwsError } from '../account/operation.ts';
import { demandKeys, type FormDialect, parseForm, readForm } from './form.ts';
import type { Protocol, WireResponse } from './protocol.ts';
import { inputOf, nameOf, outputOf } from './schema.ts';
import { element, escapeXml, writeMembers } from './xml.ts';

/** https://smithy.io/2.0/aws/protocols/aws-query-protocol.html */
export function awsQuery(xmlNamespace: string): Protocol {
  return {
    decode: (schema, body) => decode(AWS_QUERY, inputOf(schema), body),
    encode(schema, output, requestId) {
      const name = nameOf(schema);
      const result = outputOf(schema).isStructSchema()
        ? element(`${name}Result`, writeMembers(outputOf(schema), output))
        : '';
      const metadata = `<ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata>`;
      const document = root(`${name}Response`, xmlNamespace, result + metadata);
      return response(200, document, requestId);
    },
    encodeError(error, requestId) {
      const type = error.statusCode < 500 ? 'Sender' : 'Receiver';
      const content = `<Error><Type>${type}</Type>${codeAndMessage(error)}</Error><RequestId>${requestId}</RequestId>`;
      const document = root('ErrorResponse', xmlNamespace, content);
      return response(error.statusCode, document, requestId);
    },
  };
}

/** https://smithy.io/2.0/aws/protocols/aws-ec2-query-protocol.html */
export function ec2Query(xmlNamespace: string): Protocol {
  return {
    decode: (schema, body) => decode(EC2_QUERY, inputOf(schema), body),
    encode(schema, output, requestId) {
      const members = outputOf(schema).isStructSchema()
        ? writeMembers(outputOf(schema), output)
        : '<return>true</return>';
      const content = `<requestId>${requestId}</requestId>${members}`;
      const document = root(`${nameOf(schema)}Response`, xmlNamespace, content);
      return response(200, document, requestId);
    },
    encodeError(error, requestId) {
      const document = `<Response><Errors><Error>${codeAndMessage(error)}</Error></Errors><RequestID>${requestId}</RequestID></Response>`;
      return response(error.statusCode, document, requestId);
    },
  };
}

const AWS_QUERY: FormDialect = {
  flatLists: false,
  memberKey: (name, schema) => schema.getMergedTraits().xmlName ?? name,
};

const EC2_QUERY: FormDialect = {
  flatLists: true,
  memberKey(name, schema) {
    const { ec2QueryName, xmlName = name } = schema.getMergedTraits();
    return typeof ec2QueryName === 'string'
      ? ec2QueryName
      : xmlName.charAt(0).toUpperCase() + xmlName.slice(1);
  },
};

function decode(dialect: FormDialect, schema: NormalizedSchema, body: string): object {
  const { Action, Version, ...form } = parseForm(body);
  const input = schema.isStructSchema() ? readForm(dialect, schema, form) : demandKeys(form, () => false);
  return typeof input === 'object' && input !== null ? input : {};
}

const root = (name: string, xmlNamespace: string, content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="${xmlNamespace}">${content}</${name}>`;

const codeAndMessage = (error: AwsError) =>
  `<Code>${escapeXml(error.code)}</Code><Message>${escapeXml(error.message)}</Message>`;

function response(statusCode: number, document: string, requestId: string): WireResponse {
  const headers = {
    'content-type': 'text/xml;charset=UTF-8',
    'x-amzn-requestid': requestId,
  };
  return { statusCode, headers, body: Buffer.from(document) };
}
