import { Address, OP, OutScript, Script } from '@scure/btc-signer'
import { regtest } from '../definition.ts'
import { toHex } from './transaction.ts'

const types = {
  pkh: 'p2pkh',
  sh: 'p2sh',
  wpkh: 'v0_p2wpkh',
  wsh: 'v0_p2wsh',
  tr: 'v1_p2tr',
} as const

/** The kinds of output scripts that Esplora names and this chain pays to. */
export type ScriptType = (typeof types)[keyof typeof types] | 'op_return' | 'unknown'

/** The type of an output's script, and its address if it has one. */
export function describeScript(script: Uint8Array): { type: ScriptType; address?: string } {
  if (script[0] === OP.RETURN) return { type: 'op_return' }
  try {
    const decoded = OutScript.decode(script)
    if (!decoded || !Object.hasOwn(types, decoded.type)) return { type: 'unknown' }
    const type = types[decoded.type as keyof typeof types]
    const address = Address(regtest).encode(decoded as Parameters<typeof encodeAddress>[0])
    return { type, address }
  } catch {
    return { type: 'unknown' }
  }
}

const encodeAddress = Address(regtest).encode

/** The script that pays an address of this chain; undefined for any other string. */
export function parseAddress(address: string): Uint8Array | undefined {
  try {
    return OutScript.encode(Address(regtest).decode(address))
  } catch {
    return undefined
  }
}

/** A script as assembly, in Esplora's form. */
export function toAsm(script: Uint8Array): string {
  try {
    return Script.decode(script).map(toWord).join(' ')
  } catch {
    return ''
  }
}

function toWord(part: string | number | Uint8Array): string {
  if (part instanceof Uint8Array) return `OP_PUSHBYTES_${part.length} ${toHex(part)}`
  if (part === 0) return 'OP_0'
  if (typeof part === 'number') return `OP_PUSHNUM_${part}`
  return part.startsWith('OP_') ? part : `OP_${part}`
}
