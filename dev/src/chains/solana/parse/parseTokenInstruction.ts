import type { Parsed } from './parsed.ts'
import { readAddress, toUiAmount } from './readToken.ts'

/** Instructions of both token programs, whose numbers are the same. */
export function parseTokenInstruction(
  accounts: readonly string[],
  data: Buffer,
): Parsed | undefined {
  const kind = data.readUInt8(0)
  if (kind === 26) return parseTransferFee(accounts, data)
  const [type, names, read] = kinds[kind] ?? []
  if (!type || !names) return undefined
  const info = Object.fromEntries(names.map((name, index) => [name, accounts[index]]))
  return { type, info: { ...info, ...read?.(data) } }
}

type Read = (data: Buffer) => Record<string, unknown>

const amount: Read = (data) => ({ amount: data.readBigUInt64LE(1).toString() })
const checked: Read = (data) => ({
  tokenAmount: toUiAmount(data.readBigUInt64LE(1), data.readUInt8(9)),
})
const owner: Read = (data) => ({ owner: readAddress(data, 1) })
const mintFacts: Read = (data) => ({
  decimals: data.readUInt8(1),
  mintAuthority: readAddress(data, 2),
  ...(data[34] === 1 && { freezeAuthority: readAddress(data, 35) }),
})

const authorityTypes = ['mintTokens', 'freezeAccount', 'accountOwner', 'closeAccount']
const authority: Read = (data) => ({
  authorityType: authorityTypes[data.readUInt8(1)] ?? `${data.readUInt8(1)}`,
  newAuthority: data[2] === 1 ? readAddress(data, 3) : null,
})

// By the first byte: the name, the roles of the accounts, and the other fields of the data.
const kinds: Record<number, readonly [type: string, names: readonly string[], read?: Read]> = {
  0: ['initializeMint', ['mint', 'rentSysvar'], mintFacts],
  1: ['initializeAccount', ['account', 'mint', 'owner', 'rentSysvar']],
  3: ['transfer', ['source', 'destination', 'authority'], amount],
  4: ['approve', ['source', 'delegate', 'owner'], amount],
  5: ['revoke', ['source', 'owner']],
  6: ['setAuthority', ['account', 'authority'], authority],
  7: ['mintTo', ['mint', 'account', 'mintAuthority'], amount],
  8: ['burn', ['account', 'mint', 'authority'], amount],
  9: ['closeAccount', ['account', 'destination', 'owner']],
  10: ['freezeAccount', ['account', 'mint', 'freezeAuthority']],
  11: ['thawAccount', ['account', 'mint', 'freezeAuthority']],
  12: ['transferChecked', ['source', 'mint', 'destination', 'authority'], checked],
  13: ['approveChecked', ['source', 'mint', 'delegate', 'owner'], checked],
  14: ['mintToChecked', ['mint', 'account', 'mintAuthority'], checked],
  15: ['burnChecked', ['account', 'mint', 'authority'], checked],
  16: ['initializeAccount2', ['account', 'mint', 'rentSysvar'], owner],
  17: ['syncNative', ['account']],
  18: ['initializeAccount3', ['account', 'mint'], owner],
  20: ['initializeMint2', ['mint'], mintFacts],
  21: ['getAccountDataSize', ['mint']],
  22: ['initializeImmutableOwner', ['account']],
}

function parseTransferFee(accounts: readonly string[], data: Buffer): Parsed | undefined {
  const [first, mint, destination, authority] = accounts
  if (data[1] === 0) return { type: 'initializeTransferFeeConfig', info: { mint: first } }
  if (data[1] !== 1) return undefined
  const decimals = data.readUInt8(10)
  return {
    type: 'transferCheckedWithFee',
    info: {
      source: first,
      ...{ mint, destination, authority },
      tokenAmount: toUiAmount(data.readBigUInt64LE(2), decimals),
      feeAmount: toUiAmount(data.readBigUInt64LE(11), decimals),
    },
  }
}
