import { getAddress, type Hex, hashTypedData, isAddress, type TypedDataDefinition } from 'viem'
import * as z from 'zod/mini'
import { approvals } from '../locales/approvals.en.ts'
import { fill } from '../locales/en.ts'
import type { ApprovalRow, Warning } from './approval.ts'
import { type Ask, type Prepared, placeRows } from './ask.ts'
import { allowance, caution, danger } from './describeCall.ts'
import { assertAccount, invalidParams } from './params.ts'
import { readTree, signedPart } from './readTree.ts'
import { showName } from './showText.ts'

const t = approvals.approve
const mostLength = 200_000

const scalar = z.union([z.string(), z.number()])
const typedData = z.object({
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  domain: z.object({
    name: z.optional(z.string()),
    version: z.optional(z.string()),
    chainId: z.optional(scalar),
    verifyingContract: z.optional(z.string()),
    salt: z.optional(z.string()),
  }),
  message: z.record(z.string(), z.unknown()),
})
type TypedData = z.infer<typeof typedData>

/** eth_signTypedData_v4 (EIP-712): `[address, data]`, the data as JSON or as an object. */
export async function prepareTypedData(ask: Ask): Promise<Prepared> {
  const { params, accounts, chain, keys } = ask
  const [address, data] = Array.isArray(params) ? (params as unknown[]) : []
  assertAccount(address, accounts.eip155)
  const parsed = z.safeParse(typedData, typeof data === 'string' ? parseJson(data) : data)
  if (!parsed.success) throw invalidParams('typed data')
  const typed = parsed.data
  assertHashable(typed)
  const tree = readTree(typed.types, typed.primaryType, typed.message)
  const domain = signedDomain(typed)
  const other = domain.chainId !== undefined && String(Number(domain.chainId)) !== chain.reference
  const permit = await readPermit(ask, typed)
  return {
    view: {
      title: permit ? t.titlePermit : t.titleTyped,
      action: permit ? t.actionAllow : t.actionSign,
      rows: [
        ...(permit?.rows ?? []),
        ...(domain.name ? [{ label: t.domain, value: showName(domain.name, 60) }] : []),
        ...(domain.verifyingContract && isAddress(domain.verifyingContract, { strict: false })
          ? [{ label: t.contract, address: getAddress(domain.verifyingContract) }]
          : []),
        { label: t.message, tree },
        ...placeRows(ask),
      ],
      groups: [],
      warnings: [
        ...(permit?.warnings ?? []),
        ...(domain.chainId === undefined ? [caution(approvals.warn.anyChain)] : []),
      ],
      ...(other && {
        blocked: fill(approvals.block.chain, { id: showName(String(domain.chainId), 40) }),
      }),
    },
    recipients: [],
    approve: async () => (await keys.do('signTypedData', { data: typed })).signature,
  }
}

/** What of the domain is really signed: a type for it may leave fields away. */
function signedDomain({ domain, types }: TypedData): TypedData['domain'] {
  const fields = Object.hasOwn(types, 'EIP712Domain') ? types.EIP712Domain : undefined
  if (!fields) return domain
  const names = fields.map(({ name }) => name)
  return Object.fromEntries(Object.entries(domain).filter(([name]) => names.includes(name)))
}

// Before it is shown: what cannot be signed is not asked.
function assertHashable(typed: TypedData): void {
  try {
    hashTypedData(typed as unknown as TypedDataDefinition)
  } catch {
    throw invalidParams('typed data')
  }
}

function parseJson(text: string): unknown {
  if (text.length > mostLength) throw invalidParams('typed data is too large to be shown')
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const amount = z.pipe(
  z.union([z.string().check(z.regex(/^(\d+|0x[0-9a-f]+)$/i)), z.int().check(z.gte(0))]),
  z.transform((value) => BigInt(value)),
)
const address = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-f]{40}$/i)),
  z.transform((value) => value as Hex),
)
const details = z.object({ token: address, amount, expiration: amount })
const permitted = z.object({ token: address, amount })

/** The allowances that a permit gives: EIP-2612, its older form, and the four of Permit2. */
const permits = {
  Permit: z.union([
    z.object({ spender: address, value: amount, deadline: amount }),
    z.object({ spender: address, allowed: z.boolean(), expiry: amount }),
  ]),
  PermitSingle: z.object({ spender: address, details }),
  PermitBatch: z.object({ spender: address, details: z.array(details).check(z.maxLength(20)) }),
  PermitTransferFrom: z.object({ spender: address, deadline: amount, permitted }),
  PermitBatchTransferFrom: z.object({
    spender: address,
    deadline: amount,
    permitted: z.array(permitted).check(z.maxLength(20)),
  }),
} as const

type Given = { token: Hex; spender: Hex; amount: bigint; deadline?: bigint; expiration?: bigint }

async function readPermit(
  ask: Ask,
  typed: TypedData,
): Promise<{ rows: ApprovalRow[]; warnings: Warning[] } | undefined> {
  const name = typed.primaryType.replace(/Witness(TransferFrom)$/, '$1')
  if (!Object.hasOwn(permits, name)) return undefined
  const given = readGiven(name as keyof typeof permits, typed)
  if (!given) return { rows: [], warnings: [danger(approvals.warn.raw)] }
  const context = { ...ask, account: ask.accounts.eip155 }
  const parts = []
  for (const one of given) parts.push(await allowance(context, one))
  return {
    rows: parts.flatMap(({ rows }) => rows),
    warnings: [danger(approvals.warn.permit), ...parts.flatMap(({ warnings = [] }) => warnings)],
  }
}

function readGiven(name: keyof typeof permits, typed: TypedData): Given[] | undefined {
  // Else a field that is not signed could say less than those that are.
  const message = signedPart(typed.types, typed.primaryType, typed.message)
  const domain = signedDomain(typed)
  if (name === 'Permit') {
    const parsed = z.safeParse(permits.Permit, message)
    const token = z.safeParse(address, domain.verifyingContract)
    if (!parsed.success || !token.success) return undefined
    const { spender } = parsed.data
    if ('value' in parsed.data) {
      const { value, deadline } = parsed.data
      return [{ token: token.data, spender, amount: value, deadline }]
    }
    const { allowed, expiry } = parsed.data
    return [
      { token: token.data, spender, amount: allowed ? 2n ** 256n - 1n : 0n, deadline: expiry },
    ]
  }
  if (name === 'PermitSingle' || name === 'PermitBatch') {
    const schema = z.union([permits.PermitSingle, permits.PermitBatch])
    const parsed = z.safeParse(schema, message)
    if (!parsed.success) return undefined
    const { spender, details: list } = parsed.data
    return [list].flat().map((one) => ({ ...one, spender }))
  }
  const parsed = z.safeParse(
    z.union([permits.PermitTransferFrom, permits.PermitBatchTransferFrom]),
    message,
  )
  if (!parsed.success) return undefined
  const { spender, deadline, permitted: list } = parsed.data
  return [list].flat().map((one) => ({ ...one, spender, deadline }))
}
