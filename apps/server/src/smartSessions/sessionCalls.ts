import {
  type ChainId,
  LatchkeyError,
  parseBoundedJson,
  prepareCallsParams,
  sendPreparedCallsParams,
} from '@latchkey/wire'
import { type Address, type Hex, hexToString, numberToHex, stringToHex } from 'viem'
import * as z from 'zod'
import { entryPoint, formatOperation, userOperation } from '../bundler/operations/userOperation.ts'
import { describeIssue } from '../http/request/describeIssue.ts'
import { assertOpen, coSign, hashOf, readReply, sessionDelegate } from './coSign.ts'
import { assignParts, encodeRedemption } from './redemption.ts'
import type { Account, SmartSession, SmartSessionsDeps } from './session.ts'
import { findSmartSession, openKey } from './sessionStore.ts'

// Placeholders with as many bytes as a real signature and a real authorization.
const stub: Hex = `0xfffffffffffffffffffffffffffffff000000000000000000000000000000000${'7a'.padEnd(64, 'a')}1c`
const stubAuthorization = {
  r: `0x${'f'.repeat(31)}${'0'.repeat(33)}`,
  s: `0x7${'a'.repeat(63)}`,
  yParity: '0x1',
}

/**
 * wallet_prepareCalls: calls of a session as a user operation that the operator pays for, and the
 * hash that the session's key has to sign. Throws INVALID_PARAMS, SIGNING_REFUSED, RPC_FAILED.
 */
export async function prepareCalls(deps: SmartSessionsDeps, params: unknown): Promise<object[]> {
  const [asked] = parse(prepareCallsParams, params)
  // Ignores other paymasters, because the operator pays.
  const { permissions, paymasterService: _, ...others } = asked.capabilities
  for (const [name, value] of Object.entries(others))
    if ((value as { optional?: unknown } | null)?.optional !== true)
      throw new LatchkeyError('CAPABILITY_UNSUPPORTED', { data: { reason: name.slice(0, 60) } })
  const account = {
    chainId: toChainId(asked.chainId),
    address: asked.from.toLowerCase() as Address,
  }
  const session = await findSmartSession(deps, { account, pci: permissions.context })
  await assertOpen(deps, session)
  const calls = asked.calls.map(({ to, value = '0x0', data = '0x' }) => ({
    to: to.toLowerCase() as Address,
    value: BigInt(value),
    data: data.toLowerCase() as Hex,
  }))
  const data = await buildOperation(
    deps,
    session,
    encodeRedemption(session, assignParts(session, calls)),
  )
  return [
    {
      preparedCalls: { type: 'user-operation-v07', data, chainId: asked.chainId, entryPoint },
      signatureRequest: { hash: hashOf(session, userOperation.parse(data)) },
      context: permissions.context,
    },
  ]
}

async function buildOperation(deps: SmartSessionsDeps, session: SmartSession, callData: Hex) {
  const { account, row } = session
  const ask = askBundler(deps, account)
  const [code] = await deps.askChain(account.chainId)([
    { method: 'eth_getCode', params: [row.delegate, 'latest'] },
  ])
  const price = gasPrice.parse(await ask('pimlico_getUserOperationGasPrice', []))
  const chainId = numberToHex(Number(account.chainId.slice('eip155:'.length)))
  const draft = {
    sender: row.delegate,
    nonce: numberToHex(randomKey() << 64n),
    factory: '0x7702',
    factoryData: '0x',
    callData,
    ...price.standard,
    signature: stub,
  }
  const asked = {
    ...draft,
    ...(code?.result === '0x' && {
      eip7702Auth: { address: sessionDelegate, chainId, nonce: '0x0', ...stubAuthorization },
    }),
  }
  const paymaster = async (method: string, operation: object) =>
    sponsorFields.parse(await ask(method, [operation, entryPoint, chainId]))
  const stubbed = { ...asked, ...(await paymaster('pm_getPaymasterStubData', asked)) }
  const gas = gasFields.parse(await ask('eth_estimateUserOperationGas', [stubbed, entryPoint]))
  const full = { ...stubbed, ...gas }
  const { eip7702Auth: _, ...signed } = {
    ...full,
    ...(await paymaster('pm_getPaymasterData', full)),
  } as Record<string, unknown>
  return signed
}

/** 128 random bits, so that the key was never used before. */
const randomKey = () =>
  crypto.getRandomValues(new Uint8Array(16)).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

/**
 * wallet_sendPreparedCalls: signs the operation if the session's key has signed it, and sends it.
 * Resolves to its ids. Throws the errors of {@link coSign}, RPC_FAILED.
 */
export async function sendPreparedCalls(
  deps: SmartSessionsDeps,
  params: unknown,
): Promise<string[]> {
  const [{ preparedCalls, signature, context }] = parse(sendPreparedCallsParams, params)
  const chainId = toChainId(preparedCalls.chainId)
  const session = await findSessionById(deps, { chainId, pci: context })
  const signed = await coSign(deps, session, {
    userOp: preparedCalls.data,
    signature: signature as Hex,
  })
  const { account, row } = session
  const [code] = await deps.askChain(chainId)([
    { method: 'eth_getCode', params: [row.delegate, 'latest'] },
  ])
  const number = Number(chainId.slice('eip155:'.length))
  const authorization =
    code?.result === '0x'
      ? await (await openKey(deps, session)).signAuthorization({
          contractAddress: sessionDelegate,
          chainId: number,
          nonce: 0,
        })
      : undefined
  const operation = {
    ...formatOperation({ ...signed.operation, signature: signed.signature }),
    ...(authorization && {
      eip7702Auth: {
        address: sessionDelegate,
        chainId: numberToHex(number),
        nonce: '0x0',
        r: authorization.r,
        s: authorization.s,
        yParity: numberToHex(authorization.yParity ?? 0),
      },
    }),
  }
  await askBundler(deps, account)('eth_sendUserOperation', [operation, entryPoint])
  return [stringToHex(JSON.stringify({ chain_id: number, user_op_hash: signed.hash }))]
}

async function findSessionById(
  deps: SmartSessionsDeps,
  { chainId, pci }: { readonly chainId: ChainId; readonly pci: string },
): Promise<SmartSession> {
  const row = await deps.db
    .selectFrom('permission_sessions')
    .select('account')
    .where('pci', '=', pci)
    .executeTakeFirst()
  if (!row) throw new LatchkeyError('VAULT_NOT_FOUND')
  return findSmartSession(deps, { account: { chainId, address: row.account as Address }, pci })
}

const callId = z.object({
  chain_id: z.int().positive(),
  user_op_hash: z.string().regex(/^0x[0-9a-f]{64}$/),
})
const receiptAnswer = z.object({ receipt: z.record(z.string(), z.unknown()), success: z.boolean() })

const callsStatusParams = z.tuple([z.string()])

/**
 * wallet_getCallsStatus of an id of {@link sendPreparedCalls}. Throws INVALID_PARAMS,
 * BATCH_ID_UNKNOWN.
 */
export async function getCallsStatus(deps: SmartSessionsDeps, params: unknown): Promise<object> {
  const [id] = parse(callsStatusParams, params)
  const parsed = callId.safeParse(readId(id))
  if (!parsed.success) throw new LatchkeyError('BATCH_ID_UNKNOWN')
  const { chain_id, user_op_hash } = parsed.data
  const account = { chainId: `eip155:${chain_id}`, address: '0x' } as const
  const answer = await askBundler(deps, account)('eth_getUserOperationReceipt', [user_op_hash])
  const found = receiptAnswer.safeParse(answer)
  if (!found.success) return { status: 'PENDING' }
  const { receipt, success } = found.data
  return { status: 'CONFIRMED', receipts: [{ ...receipt, status: success ? '0x1' : '0x0' }] }
}

function readId(id: string): unknown {
  if (!/^0x([0-9a-f]{2}){1,300}$/i.test(id)) return undefined
  try {
    return parseBoundedJson(hexToString(id as Hex))
  } catch {
    return undefined
  }
}

const askBundler =
  ({ bundlers }: SmartSessionsDeps, { chainId }: Pick<Account, 'chainId'>) =>
  async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const reply = await bundlers.request(chainId, method, params)
    if (reply === undefined) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
    return readReply(reply)
  }

const hex = z.string().regex(/^0x[0-9a-fA-F]*$/)
const fees = z.object({ maxFeePerGas: hex, maxPriorityFeePerGas: hex })
const gasPrice = z.object({ standard: fees })
const gasFields = z.object({
  callGasLimit: hex,
  verificationGasLimit: hex,
  preVerificationGas: hex,
})
const sponsorFields = z.object({
  paymaster: hex,
  paymasterData: hex,
  paymasterVerificationGasLimit: hex,
  paymasterPostOpGasLimit: hex,
})

const toChainId = (hexId: string): ChainId => `eip155:${BigInt(hexId)}`

function parse<Schema extends z.core.$ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, params, { error: (issue) => describeIssue(issue, 'params') })
  if (parsed.success) return parsed.data
  const reason = parsed.error.issues[0]?.message ?? 'params'
  throw new LatchkeyError('INVALID_PARAMS', { data: { reason } })
}
