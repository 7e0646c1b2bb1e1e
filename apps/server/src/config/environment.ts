import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { bundlerEnvironment } from '../bundler/bundlerConfig.ts'
import { swapEnvironment } from '../convert/swapConfig.ts'
import { nameEnvironment } from '../names/nameConfig.ts'
import { relayEnvironment } from '../relay/relayConfig.ts'
import { chainIdSchema, httpUrl } from './chainsFile.ts'
import { wholeNumber } from './wholeNumber.ts'

const projectRoot = fileURLToPath(new URL('../../../../', import.meta.url))

/** The host as in a URL: lower-case, an IPv6 address in brackets. */
const hostAndPort = z
  .string()
  .refine(
    (text) => /^[^/?#@\\\s]+:[1-9]\d{0,4}$/.test(text) && URL.canParse(`http://${text}`),
    'must be host:port, such as 127.0.0.1:8080',
  )
  .transform((text) => {
    const port = text.slice(text.lastIndexOf(':') + 1)
    return `${new URL(`http://${text}`).hostname}:${port}`
  })

/** The origin of a page as browsers write it. */
const exactOrigin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text,
    'must be none, or origins such as https://app.example.com',
  )

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const folder = z
  .string()
  .transform((path) => resolve(path))
  .refine(
    (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
    'must be a folder',
  )

/** The variables of the server, with their defaults; docs/self-hosting.md has a table of them. */
export const environment = z.object({
  ROLE: z.enum(['all', 'relay'], 'must be all or relay').default('all'),
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(3000, 0, 65535),
  PUBLIC_URL: httpUrl.optional(),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' })
    .optional(),
  DATABASE_TIMEOUT_SECONDS: wholeNumber(2, 1, 60),
  DATABASE_GIVE_UP_SECONDS: wholeNumber(600, 1, 86_400),
  DATA_DIR: z.string().default(resolve(projectRoot, '.latchkey')),
  KEYRING_DIR: z.string().optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// URL' }).optional(),
  CHAINS_FILE: z.string().optional(),
  FRAME_PORT: wholeNumber(-1, -1, 65535),
  FRAME_URL: httpUrl.optional(),
  FRAME_DIST: z.string().default(resolve(projectRoot, 'apps/frame/dist')),
  MAILS_PER_HOUR: wholeNumber(1_000, 1, 10_000_000),
  MAIL_COOLDOWN_SECONDS: wholeNumber(30, 1, 3_600),
  EMAIL_LOGINS_PER_HOUR: wholeNumber(20, 1, 100_000),
  SOCIAL_LOGINS_PER_HOUR: wholeNumber(20, 1, 100_000),
  PASSKEY_ACCOUNTS: z.enum(['off', 'on', 'sponsored']).default('off'),
  PASSKEY_ACCOUNTS_PER_HOUR: wholeNumber(5, 1, 10_000),
  PASSKEY_ACCOUNTS_OF_ALL_PER_HOUR: wholeNumber(500, 1, 10_000),
  RECOVERY_LATER_ORIGINS: z
    .string()
    .transform((text) => (text === 'none' ? [] : text.split(',').map((part) => part.trim())))
    .pipe(z.array(exactOrigin))
    .optional(),
  SOCIALS_FILE: z.string().optional(),
  ONRAMP_FILE: z.string().optional(),
  DESCRIPTORS_DIR: folder.optional(),
  ABIS_DIR: folder.optional(),
  BLOCK_LIST: z
    .string()
    .refine(
      (text) =>
        /^https:\/\//.test(text) || statSync(text, { throwIfNoEntry: false })?.isFile() === true,
      'must be a file or an https:// URL',
    )
    .optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' }).optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>@\r\n"]+ )?<?[^<>@\s]+@[^<>@\s]+>?$/,
      'must be an address, such as Latchkey <no-reply@example.com>',
    )
    .optional(),
  OPERATOR_EMAIL: z.email('must be an address, such as operator@example.com').optional(),
  WEB_DIST: z.string().default(resolve(projectRoot, 'apps/web/dist')),
  WEB_PROJECT_ID: z.string().min(1).max(128).default('local'),
  WEB_NETWORKS: z
    .string()
    .transform((text) => text.split(',').filter((id) => id !== ''))
    .pipe(z.array(chainIdSchema))
    .default([]),
  WEB_SIGN_IN: z.enum(['off', 'optional', 'required']).default('off'),
  WEB_SIGN_IN_PER: z.enum(['namespace', 'network']).default('namespace'),
  WEB_SIGN_IN_KEEP: z.enum(['token', 'cookie']).default('token'),
  WEB_RELAY_URL: z.url({ protocol: /^wss?$/, error: 'must be a ws:// or wss:// URL' }).optional(),
  WEB_RELAY_PROJECT_ID: z.string().min(1).max(128).optional(),
  DEVELOPMENT_WALLET_URL: httpUrl.optional(),
  LOG_LEVEL: z.enum(levels, `must be one of ${levels.join(', ')}`).default('info'),
  TRUST_PROXY: wholeNumber(0, 0, 16),
  RATE_LIMIT_BURST: wholeNumber(600, 1, 1_000_000),
  RATE_LIMIT_PER_SECOND: wholeNumber(100, 1, 1_000_000),
  BODY_LIMIT: wholeNumber(1_048_576, 1, 104_857_600),
  SOCKETS: wholeNumber(5_000, 1, 1_000_000),
  SOCKETS_PER_CLIENT: wholeNumber(100, 1, 1_000_000),
  CONNECTIONS: wholeNumber(8_192, 16, 1_000_000),
  CONNECTIONS_PER_CLIENT: wholeNumber(512, 8, 1_000_000),
  KEEP_ALIVE_SECONDS: wholeNumber(75, 1, 3_600),
  ANSWER_BYTES: wholeNumber(268_435_456, 16_777_216, 1_099_511_627_776),
  ANSWER_BYTES_PER_CLIENT: wholeNumber(33_554_432, 16_777_216, 1_099_511_627_776),
  FRAME_ANSWER_BYTES: wholeNumber(67_108_864, 16_777_216, 1_099_511_627_776),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/, 'must be one word of 16 characters or more')
    .optional(),
  ANALYTICS: z.enum(['off', 'log'], 'must be off or log').default('off'),
  OUTBOUND_ALLOW: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
    .pipe(z.array(hostAndPort)),
  IPFS_GATEWAY: httpUrl.optional(),
  ARWEAVE_GATEWAY: httpUrl.optional(),
  PRICE_SOURCE_URL: httpUrl.optional(),
  PRICE_SOURCE_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,256}$/, 'must be one word')
    .optional(),
  ...relayEnvironment,
  ...bundlerEnvironment,
  ...nameEnvironment,
  ...swapEnvironment,
})

export type Environment = z.output<typeof environment>
