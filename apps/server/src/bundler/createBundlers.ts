import { createHmac } from 'node:crypto'
import { type ChainId, parseChainId } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import { type Address, type Hex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Database } from '../db/database.ts'
import { toQuantity } from '../evm/hex.ts'
import { createL1Fee } from '../evm/l1Fee.ts'
import { simple7702Account } from '../evm/smartAccount.ts'
import type { AlertOperator } from '../mail/operatorMails.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { createAskChain } from './askChain.ts'
import type { SmartAccountsConfig } from './bundlerConfig.ts'
import { BundlerError } from './bundlerError.ts'
import { sweepBundler } from './bundles/bundleStore.ts'
import { type ChainOperator, runBundlerLoop } from './bundles/runBundlerLoop.ts'
import type { ChainBundler } from './chainBundler.ts'
import {
  createEndDelegation,
  type EndDelegation,
  type RevocationRequest,
} from './createEndDelegation.ts'
import { createDebugBundler } from './debugBundler.ts'
import { parseOperation } from './operations/parseOperation.ts'
import { type UserOperation, userOperationDraft } from './operations/userOperation.ts'
import { createValidationWork } from './operations/validationWork.ts'
import { askOutside, type OutsideReply } from './outsideBundler.ts'
import { type BundlerMethod, createOwnBundler } from './ownBundler.ts'
import { settleSponsorships } from './sponsorship/settleSponsorships.ts'
import {
  countSponsored,
  type PaymasterFields,
  type Sponsor,
  sponsorOperation,
  stubSponsorship,
} from './sponsorship/sponsorOperation.ts'
import { createSponsorshipAlerts, readCounted } from './sponsorship/sponsorshipAlerts.ts'
import { watchBundlers } from './watchBundlers.ts'

/** The bundlers of all chains that have one. */
export type Bundlers = {
  /** Returns undefined if the chain has no bundler. Throws RPC_UNAVAILABLE. */
  request(
    chainId: ChainId,
    method: string,
    params: readonly unknown[],
    /** The network address of the client. */
    clientAddress?: string,
  ): Promise<OutsideReply> | undefined
  /**
   * Counts the operator's cost of a session's operation that is about to be signed. Returns an
   * error if a limit is reached. Throws RPC_UNAVAILABLE.
   */
  countSponsored(chainId: ChainId, operation: UserOperation): Promise<OutsideReply>
  /**
   * Ends the delegation of an account at the operator's cost, by the account's authorization in
   * JSON-RPC form. Returns an error if the operator does not pay, or if the authorization is for
   * anything else. Throws RPC_UNAVAILABLE.
   */
  endDelegation(chainId: ChainId, given: RevocationRequest): Promise<OutsideReply>
  sweep(db: Kysely<Database>): Promise<void>
  stop(): Promise<void>
}

type BundlersDeps = Pick<
  Services,
  'config' | 'db' | 'log' | 'clock' | 'responseMemory' | 'metrics' | 'health'
> & {
  /** For background work. */
  readonly background: Kysely<Database>
  /** Whether an account belongs to a session, for which only this server signs. */
  isSessionAccount(account: Address): Promise<boolean>
  /** Whether the operator pays for an account at all. */
  isSponsored(account: Address): Promise<boolean>
  readonly alertOperator: AlertOperator
}

/** Methods of a paymaster; without a sponsorship here, a bundler elsewhere may answer them. */
export const paymasterMethods = [
  'pm_getPaymasterStubData',
  'pm_getPaymasterData',
  'pm_sponsorUserOperation',
] as const

/** Methods that run code on a node. */
const costly: ReadonlySet<string> = new Set([
  ...paymasterMethods,
  'eth_sendUserOperation',
  'eth_estimateUserOperationGas',
])

/**
 * Opens the bundler of each chain that the chains file gives one, and begins with the unfinished
 * work of an earlier process.
 */
export function createBundlers(deps: BundlersDeps, upstreams: Upstreams): Bundlers {
  const { config, db, log } = deps
  const operators: ChainOperator[] = []
  const sponsors = new Map<ChainId, Sponsor>()
  const endDelegations = new Map<ChainId, EndDelegation>()
  const onRefused = createSponsorshipAlerts({ ...deps, chains: config.chains })
  watchBundlers(deps, listOwn(config.chains))
  const chains = new Map<
    ChainId,
    (method: string, params: readonly unknown[], client?: string) => Promise<OutsideReply>
  >()
  for (const [id, { smartAccounts }] of Object.entries(config.chains)) {
    if (!smartAccounts) continue
    const chainId = id as ChainId
    const answers: Record<string, BundlerMethod> = {}
    const ask = createAskChain(upstreams, chainId)
    const l1Fee = createL1Fee({ ask, chainId, clock: deps.clock })
    const work = createValidationWork(smartAccounts)
    const sponsor = openSponsor(deps, { chainId, ask, l1Fee, work, onRefused })
    if (smartAccounts.bundler === 'own' && config.bundlerKey) {
      const account = privateKeyToAccount(config.bundlerKey)
      const paymaster = smartAccounts.sponsorship?.paymaster.toLowerCase() as Address | undefined
      const chain: ChainBundler = {
        chainId,
        db,
        ask,
        l1Fee,
        log,
        account,
        trustedDelegate: simple7702Account,
        trustedPaymaster: paymaster,
        work,
        servesOnlyOurs: smartAccounts.accounts !== 'any',
      }
      const operator = runBundlerLoop({ ...chain, db: deps.background })
      operators.push(operator)
      Object.assign(answers, createOwnBundler(chain, { operator, sponsor }))
      if (config.bundlerDebug) Object.assign(answers, createDebugBundler(chain, operator))
      if (sponsor)
        endDelegations.set(chainId, createEndDelegation(chain, { budget: sponsor, operator }))
    }
    if (sponsor) {
      sponsors.set(chainId, sponsor)
      Object.assign(answers, createPaymaster(sponsor, answers))
    }
    const urls = smartAccounts.bundler === 'own' ? undefined : smartAccounts.bundler
    chains.set(chainId, async (method, params, client) => {
      const answer = Object.hasOwn(answers, method) ? answers[method] : undefined
      const run = async () => answer?.(params, { client })
      if (answer && client !== undefined && costly.has(method))
        return toReply(() => work.asking(client, run))
      if (answer) return toReply(run)
      if (urls) return askOutside(deps, { chainId, urls, method, params })
      return { error: { code: -32601, message: `${method} is not offered on ${chainId}` } }
    })
  }
  return {
    request: (chainId, method, params, clientAddress) =>
      chains.get(chainId)?.(method, params, clientAddress && toClientKey(config, clientAddress)),
    countSponsored: (chainId, operation) =>
      toReply(async () => {
        const sponsor = sponsors.get(chainId)
        if (sponsor) await countSponsored(sponsor, operation)
      }),
    endDelegation: (chainId, given) =>
      toReply(async () => {
        const endDelegation = endDelegations.get(chainId)
        if (!endDelegation)
          throw new BundlerError('paymaster', 'Not sponsored: ending a delegation')
        await endDelegation(given)
      }),
    async sweep(background) {
      await sweepBundler(background)
      const counted = await readCounted({ db: background, clock: deps.clock })
      for (const [chainId, sponsor] of sponsors) {
        // Alerts begin above this amount. If a node does not answer, the next sweep tries again.
        if ((counted.get(chainId) ?? 0n) * 2n < sponsor.policy.weiPerDay) continue
        await settleSponsorships({ ...sponsor, db: background }).catch(() => false)
      }
    },
    stop: async () => {
      await Promise.all(operators.map((operator) => operator.stop()))
    },
  }
}

const listOwn = (chains: BundlersDeps['config']['chains']): ChainId[] =>
  Object.entries(chains).flatMap(([id, { smartAccounts }]) =>
    smartAccounts?.bundler === 'own' ? [id as ChainId] : [],
  )

/** The key of a client, without its address, in the rows that count its sponsored costs. */
const toClientKey = ({ sponsorKey }: BundlersDeps['config'], address: string): string =>
  `client ${createHmac('sha256', sponsorKey ?? '')
    .update(address)
    .digest('hex')
    .slice(0, 20)}`

async function toReply(answer: () => Promise<unknown>): Promise<OutsideReply> {
  try {
    return { result: await answer() }
  } catch (error) {
    if (!(error instanceof BundlerError)) throw error
    return { error: { code: error.code, message: error.message } }
  }
}

/** The sponsor of a chain; undefined if the chain has no sponsorship. */
function openSponsor(
  { config, db, clock, isSessionAccount, isSponsored }: BundlersDeps,
  {
    chainId,
    ask,
    l1Fee,
    work,
    onRefused,
  }: Pick<ChainBundler, 'chainId' | 'ask' | 'l1Fee' | 'work'> & {
    readonly onRefused: ReturnType<typeof createSponsorshipAlerts>
  },
): Sponsor | undefined {
  const smartAccounts = config.chains[chainId]?.smartAccounts
  const policy = smartAccounts?.sponsorship
  if (!policy || !config.sponsorKey) return undefined
  return {
    chainId,
    chainNumber: Number(parseChainId(chainId).reference),
    db,
    ask,
    l1Fee,
    account: privateKeyToAccount(config.sponsorKey),
    work,
    bundler: getCarrier(smartAccounts, config.bundlerKey),
    policy,
    clock,
    onRefused: (limit) => onRefused(chainId, limit),
    isSponsored,
    isCountedWhenSent: async (account) =>
      smartAccounts.bundler === 'own' ||
      (smartAccounts.permissions === true && (await isSessionAccount(account))),
  }
}

/**
 * The only address whose bundles may contain sponsored operations, in lower case; zero if it is
 * unknown.
 */
function getCarrier({ bundler, sponsorship }: SmartAccountsConfig, key: Hex | undefined): Address {
  const own = bundler === 'own' && key ? privateKeyToAccount(key).address : undefined
  return (own ?? sponsorship?.bundler ?? zeroAddress).toLowerCase() as Address
}

function createPaymaster(
  sponsor: Sponsor,
  bundler: Readonly<Record<string, BundlerMethod>>,
): Record<string, BundlerMethod> {
  const { chainNumber, policy } = sponsor
  const read = (params: readonly unknown[]) => {
    if (params[2] !== undefined && params[2] !== toQuantity(chainNumber))
      throw new BundlerError('invalidParams', 'chainId is for another network')
    return parseOperation(userOperationDraft, params)
  }
  return {
    pm_getPaymasterStubData: async (params) => ({
      ...format(await stubSponsorship(sponsor, read(params))),
      sponsor: { name: policy.name },
    }),
    pm_getPaymasterData: async (params, from) => {
      const fields = format(await sponsorOperation(sponsor, read(params), from))
      return { ...fields, sponsor: { name: policy.name } }
    },
    ...(bundler.eth_estimateUserOperationGas && {
      pm_sponsorUserOperation: async ([first, entryPoint], from) => {
        const draft = parseOperation(userOperationDraft, [first, entryPoint])
        const stub = format(await stubSponsorship(sponsor, draft))
        const given = typeof first === 'object' ? first : {}
        const params = [{ ...given, ...stub }, entryPoint]
        const gas = (await bundler.eth_estimateUserOperationGas?.(params, from)) as object
        const full = parseOperation(userOperationDraft, [{ ...given, ...gas }, entryPoint])
        return { ...gas, ...format(await sponsorOperation(sponsor, full, from)) }
      },
    }),
  }
}

const format = (fields: PaymasterFields) => ({
  ...fields,
  paymasterVerificationGasLimit: toQuantity(fields.paymasterVerificationGasLimit),
  paymasterPostOpGasLimit: toQuantity(fields.paymasterPostOpGasLimit),
})
