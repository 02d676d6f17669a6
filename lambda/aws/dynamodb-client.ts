/** The build puts this into a file of its own: see `infra/apart-plugin.ts`. */
export { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
