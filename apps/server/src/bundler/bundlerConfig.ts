import * as z from 'zod'
import { addressPattern } from '../evm/address.ts'
import { isLoopback } from '../http/clientAddress.ts'

const address = z.string().regex(addressPattern, 'must be an address (0x and 40 hex digits)')
const wei = z
  .string()
  .regex(/^[1-9]\d{0,30}$/, 'must be a number of wei, such as "1000000000000000"')
  .transform(BigInt)
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })

/** Smart accounts of a network in the chains file (EIP-7702, EntryPoint 0.8). */
export const smartAccountsSchema = z.object({
  /**
   * `own`: this server's bundler, with BUNDLER_KEY. Otherwise URLs of bundlers, the preferred
   * bundler first.
   */
  bundler: z.union([
    z.literal('own'),
    z.array(httpUrl).min(1, 'must name at least one URL').max(8, 'must not name more than 8'),
  ]),
  /**
   * The accounts that the bundler `own` serves. `own` (default): accounts that delegate to our
   * contracts. `any`: also other accounts, whose validation it traces.
   */
  accounts: z.enum(['own', 'any']).optional(),
  /**
   * Nodes that only trace validations, for the bundler `own`; the network's `upstreams` if none is
   * named.
   */
  traceUrls: z
    .array(httpUrl)
    .min(1, 'must name at least one URL')
    .max(8, 'must not name more than 8')
    .optional(),
  /**
   * The most gas for the validation of one operation, and the most steps of a traced validation.
   */
  validationGas: z.int().min(100_000).max(10_000_000).optional(),
  validationSteps: z.int().min(1_000).max(1_000_000).optional(),
  /** The sponsorship of users. The paymaster accepts signatures of SPONSOR_KEY. */
  sponsorship: z
    .object({
      paymaster: address,
      /** The sponsor's name, shown to users. */
      name: z.string().min(1).max(40),
      /** The only contracts whose calls the operator pays for. Default: all contracts. */
      contracts: z.array(address).max(1_000).optional(),
      /**
       * The most that is paid in one day (UTC): for one account, for one client (a network address;
       * by default ten times the account's limit), and for all.
       */
      weiPerAccountAndDay: wei,
      weiPerClientAndDay: wei.optional(),
      weiPerDay: wei,
      /** The most gas of one operation, all of its limits together. */
      gasPerOperation: z.int().min(200_000).max(16_000_000).default(5_000_000).transform(BigInt),
      /**
       * The only address that bundles are sent from, if an outside bundler has one. Our own
       * bundler's address is known.
       */
      bundler: address.optional(),
    })
    .transform((one) => ({
      ...one,
      weiPerClientAndDay: one.weiPerClientAndDay ?? one.weiPerAccountAndDay * 10n,
    }))
    .optional(),
  /**
   * Smart sessions (ERC-7715): pages may be permitted to act by themselves. Their operations are
   * paid by the `sponsorship`.
   */
  permissions: z.boolean().optional(),
})
export type SmartAccountsConfig = z.infer<typeof smartAccountsSchema>
export type SponsorshipConfig = NonNullable<SmartAccountsConfig['sponsorship']>

const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be a private key (0x and 64 hex digits)')
  .transform((text) => text as `0x${string}`)

/** The keys that the server itself holds. They can spend only the operator's money. */
export const bundlerEnvironment = {
  BUNDLER_KEY: privateKey.optional(),
  SPONSOR_KEY: privateKey.optional(),
  /** The debug methods of the bundler, for conformance suites. */
  BUNDLER_DEBUG: z.enum(['off', 'on'], 'must be off or on').default('off'),
} as const

/** Keys that the chains file needs and the environment lacks. */
export function bundlerProblems(
  chains: Readonly<Record<string, { readonly smartAccounts?: SmartAccountsConfig | undefined }>>,
  keys: {
    readonly BUNDLER_KEY?: unknown
    readonly SPONSOR_KEY?: unknown
    readonly BUNDLER_DEBUG?: 'off' | 'on'
    readonly HOST?: string
  },
): string[] {
  const entries = Object.entries(chains)
  const other = entries.find(
    ([id, { smartAccounts }]) => smartAccounts && !id.startsWith('eip155:'),
  )
  const own = entries.find(([, { smartAccounts }]) => smartAccounts?.bundler === 'own')
  const sponsored = entries.find(([, { smartAccounts }]) => smartAccounts?.sponsorship)
  const unpaid = entries.find(
    ([, { smartAccounts }]) => smartAccounts?.permissions && !smartAccounts.sponsorship,
  )
  const isOpen = keys.BUNDLER_DEBUG === 'on' && !isLoopback(keys.HOST ?? '')
  return [
    ...(isOpen ? ['BUNDLER_DEBUG: is for development: HOST must be 127.0.0.1 or ::1'] : []),
    ...(unpaid
      ? [`CHAINS_FILE: chains.${unpaid[0]}.smartAccounts.permissions: needs a sponsorship`]
      : []),
    ...(other
      ? [`CHAINS_FILE: chains.${other[0]}.smartAccounts: is for eip155 networks only`]
      : []),
    ...(own && !keys.BUNDLER_KEY
      ? [`BUNDLER_KEY: must be set, because ${own[0]} has \`bundler: "own"\``]
      : []),
    ...(sponsored && !keys.SPONSOR_KEY
      ? [`SPONSOR_KEY: must be set, because ${sponsored[0]} has a sponsorship`]
      : []),
  ]
}
