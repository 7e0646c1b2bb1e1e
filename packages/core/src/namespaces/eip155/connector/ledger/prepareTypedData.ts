import { LatchkeyError, parseChainId } from '@latchkey/wire'
import type Eth from '@ledgerhq/hw-app-eth'
import {
  type Hex,
  hashDomain,
  hashStruct,
  recoverTypedDataAddress,
  type TypedDataDefinition,
} from 'viem'
import type { ReviewRow } from '../../../signatureReview.ts'
import { isUnlimitedAmount } from '../readCall.ts'
import { getStatusWord } from './ledgerError.ts'
import { hasNumericText, type LedgerTypedData, parseTypedData } from './parseTypedData.ts'
import {
  assertOwn,
  assertSigner,
  invalidDeviceResponse,
  joinSignature,
  type Signing,
  type SigningParameters,
  signOnDevice,
} from './signOnDevice.ts'

/**
 * Errors of an Ethereum app without support for typed data, or for this data. The device then signs
 * the two hashes.
 */
const unknownCommand: readonly number[] = [0x6d00, 0x6d02]
const unknownToApp: readonly number[] = [...unknownCommand, 0x6a80, 0x6a84, 0x6f00]

/**
 * Parses a request to sign typed data (EIP-712). The device shows the fields, or only hashes if its
 * app does not support more.
 */
export function prepareLedgerTypedData(question: SigningParameters): Signing {
  const { chainId, account, useDevice } = question
  const [address, data] = question.params
  assertOwn(account, address)
  const typedData = parseTypedData(data)
  const { types, primaryType, domain, message } = typedData
  const { reference } = parseChainId(chainId)
  if (domain.chainId !== undefined && String(Number(domain.chainId)) !== reference)
    throw invalidDeviceResponse('the typed data is for another network')
  const hashes = {
    domainHash: hashDomain({ domain, types }),
    messageHash: hashStruct({ data: message, primaryType, types }),
  }
  const rows = toRows(message, primaryType, types)
  return {
    review: {
      ...({ kind: 'typedData', chainId, address: account.address, primaryType } as const),
      domain: toRows(domain, 'EIP712Domain', types),
      ...{ rows, isUnlimited: isUnlimitedPermit(primaryType, rows) },
      ...hashes,
    },
    async finish() {
      const signed = await signOnDevice(useDevice, account, (eth) =>
        sign(eth, { path: account.path, typedData, ...hashes }),
      )
      const signature = joinSignature(signed)
      const definition = typedData as unknown as TypedDataDefinition
      await assertSigner(account, () => recoverTypedDataAddress({ ...definition, signature }))
      return signature
    },
  }
}

async function sign(
  eth: Eth,
  asked: { path: string; typedData: LedgerTypedData; domainHash: Hex; messageHash: Hex },
) {
  const { path, typedData, domainHash, messageHash } = asked
  const signHashes = () =>
    eth
      .signEIP712HashedMessage(path, domainHash.slice(2), messageHash.slice(2))
      .catch(explainHashes)
  if (hasNumericText(typedData)) return signHashes()
  try {
    return await eth.signEIP712Message(path, typedData as never)
  } catch (error) {
    const status = getStatusWord(error)
    if (status === undefined || !unknownToApp.includes(status)) throw error
    return signHashes()
  }
}

/**
 * Explains the hashes. The device has just returned its address, so its Ethereum app is open and
 * only the command is unknown.
 */
function explainHashes(error: unknown): never {
  const status = getStatusWord(error)
  if (status === undefined || !unknownCommand.includes(status)) throw error
  const data = { method: 'eth_signTypedData_v4' }
  throw new LatchkeyError('UNSUPPORTED_METHOD', { data, cause: error })
}

/** Whether a permit (ERC-2612, DAI's, Permit2's) lets a spender take an unlimited amount. */
function isUnlimitedPermit(primaryType: string, rows: readonly ReviewRow[]): boolean {
  const isPermit =
    primaryType.startsWith('Permit') || rows.some(({ name }) => /(^|\.)spender$/.test(name))
  return isPermit && rows.some(isUnlimitedRow)
}

function isUnlimitedRow({ name, value }: ReviewRow): boolean {
  if (/(^|\.)allowed$/.test(name)) return value === 'true'
  const isAmount = /(^|\.)(value|amount)$/.test(name) && /^(\d|0x[0-9a-fA-F])/.test(value)
  return isAmount && isUnlimitedAmount(toAmount(value))
}

const toAmount = (value: string) => BigInt(/^\d+e\+/.test(value) ? Number(value) : value)

/**
 * Each value with the names that lead to it. Fields that are not in the types are neither signed
 * nor shown.
 */
function toRows(
  value: unknown,
  type: string,
  types: LedgerTypedData['types'],
  name = '',
): ReviewRow[] {
  const [, inner] = /^(.*)\[\d*\]$/.exec(type) ?? []
  if (inner !== undefined && Array.isArray(value))
    return value.length === 0
      ? [{ name, value: '[]' }]
      : value.flatMap((entry, at) => toRows(entry, inner, types, `${name}[${at}]`))
  const fields = types[type]
  if (!fields) {
    const isNumericText = type === 'string' && typeof value === 'number'
    return [{ name, value: isNumericText ? `${value} (a number)` : String(value) }]
  }
  const struct = (value ?? {}) as Record<string, unknown>
  return fields.flatMap((field) =>
    toRows(struct[field.name], field.type, types, name ? `${name}.${field.name}` : field.name),
  )
}
