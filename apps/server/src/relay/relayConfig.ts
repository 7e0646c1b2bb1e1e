import * as z from 'zod'
import { wholeNumber } from '../config/wholeNumber.ts'

const mebibyte = 1024 * 1024
const count = (fallback: number) => wholeNumber(fallback, 1, 1_000_000_000)
const bytes = (fallback: number) => wholeNumber(fallback, 1024, 1024 * 1024 * mebibyte)

/** The relay's environment variables. docs/relay.md explains them. */
export const relayEnvironment = {
  RELAY_AUDIENCES: z
    .string()
    .transform((list) => list.split(',').map((entry) => entry.trim()))
    .pipe(
      z.array(
        z.url({
          protocol: /^(wss?|https?)$/,
          error: 'must be addresses (wss://…), separated by commas',
        }),
      ),
    )
    .default([]),
  RELAY_RATE_BURST: count(900),
  RELAY_RATE_PER_SECOND: count(15),
  RELAY_RATE_CLIENT_FACTOR: count(2),
  RELAY_RATE_ADDRESS_FACTOR: count(50),
  RELAY_RATE_PROJECT_FACTOR: count(1_000),
  RELAY_SOCKETS: count(50_000),
  RELAY_SOCKETS_PER_CLIENT: count(64),
  RELAY_SOCKETS_PER_ADDRESS: count(2_000),
  RELAY_SOCKETS_PER_PROJECT: count(50_000),
  RELAY_SUBSCRIPTIONS: count(1_000_000),
  RELAY_SUBSCRIPTIONS_PER_CLIENT: count(5_000),
  RELAY_SUBSCRIPTIONS_PER_ADDRESS: count(100_000),
  RELAY_SUBSCRIPTIONS_PER_PROJECT: count(1_000_000),
  RELAY_MAILBOX_BYTES: bytes(512 * mebibyte),
  RELAY_MAILBOX_BYTES_PER_CLIENT: bytes(8 * mebibyte),
  RELAY_MAILBOX_BYTES_PER_ADDRESS: bytes(16 * mebibyte),
  RELAY_MAILBOX_BYTES_PER_PROJECT: bytes(512 * mebibyte),
  RELAY_MAILBOX_BYTES_PER_TOPIC: bytes(8 * mebibyte),
  RELAY_MESSAGES_PER_TOPIC: count(2_000),
  RELAY_FRAME_MAX_BYTES: wholeNumber(mebibyte, 131_072, 64 * mebibyte),
  RELAY_BACKLOG_BYTES: bytes(16 * mebibyte),
  RELAY_IDLE_SECONDS: count(300),
}

/** The relay's settings, with the names of {@link relayEnvironment} in camel case. */
export type RelayConfig = ReturnType<typeof toRelayConfig>

/** Builds the relay's configuration from parsed variables. */
export const toRelayConfig = (values: z.infer<z.ZodObject<typeof relayEnvironment>>) => ({
  audiences: values.RELAY_AUDIENCES,
  rate: { capacity: values.RELAY_RATE_BURST, refillPerSecond: values.RELAY_RATE_PER_SECOND },
  sockets: values.RELAY_SOCKETS,
  client: {
    rateFactor: values.RELAY_RATE_CLIENT_FACTOR,
    sockets: values.RELAY_SOCKETS_PER_CLIENT,
    subscriptions: values.RELAY_SUBSCRIPTIONS_PER_CLIENT,
    bytes: values.RELAY_MAILBOX_BYTES_PER_CLIENT,
  },
  address: {
    rateFactor: values.RELAY_RATE_ADDRESS_FACTOR,
    sockets: values.RELAY_SOCKETS_PER_ADDRESS,
    subscriptions: values.RELAY_SUBSCRIPTIONS_PER_ADDRESS,
    bytes: values.RELAY_MAILBOX_BYTES_PER_ADDRESS,
  },
  project: {
    rateFactor: values.RELAY_RATE_PROJECT_FACTOR,
    sockets: values.RELAY_SOCKETS_PER_PROJECT,
    subscriptions: values.RELAY_SUBSCRIPTIONS_PER_PROJECT,
    bytes: values.RELAY_MAILBOX_BYTES_PER_PROJECT,
  },
  mailbox: {
    messagesPerTopic: values.RELAY_MESSAGES_PER_TOPIC,
    bytesPerTopic: values.RELAY_MAILBOX_BYTES_PER_TOPIC,
    bytes: values.RELAY_MAILBOX_BYTES,
    subscriptionsPerClient: values.RELAY_SUBSCRIPTIONS_PER_CLIENT,
    subscriptions: values.RELAY_SUBSCRIPTIONS,
  },
  frameMaxBytes: values.RELAY_FRAME_MAX_BYTES,
  backlogBytes: values.RELAY_BACKLOG_BYTES,
  idleMs: values.RELAY_IDLE_SECONDS * 1000,
})
