import { createFolder, type Fold } from '../nodes/foldArrays.ts'
import { createTrimmer } from '../nodes/trimAnswer.ts'

/** How many inputs and outputs of each transaction stay unchanged. */
const maxKept = 20
/**
 * Empties witnesses, and shortens scripts and other strings. The script of any address is shorter
 * than this.
 */
const trim = { emptied: 'witness', maxString: 256 }

/**
 * Shortens transactions while they arrive: an attacker who pays an address chooses the number of
 * outputs and the content of the witness. Beyond the first inputs and outputs, a single entry
 * replaces all entries of `script`, and another replaces all others. The sums stay the same.
 */
export function createTransactionFolder(script: string): (chunk: Buffer) => Buffer {
  const trimmer = createTrimmer(trim)
  const folder = createFolder((name) => {
    if (name === 'vout') return createFold(script, readValue, (output) => output)
    if (name === 'vin')
      return createFold(script, (input) => readValue(getField(input, 'prevout')), toInput)
    return undefined
  })
  return (chunk) => folder(trimmer(chunk))
}

type Output = { readonly scriptpubkey: string; readonly value: number }

const toInput = (prevout: Output) => ({
  txid: '0'.repeat(64),
  vout: 0,
  prevout,
  is_coinbase: false,
})

function createFold(
  script: string,
  read: (json: unknown) => Output | undefined,
  toElement: (output: Output) => object,
): Fold {
  let count = 0
  const sums = new Map<string, number>()
  return {
    keeps(element) {
      count++
      if (count <= maxKept) return true
      const output = read(JSON.parse(element))
      if (output === undefined) return true
      const key = output.scriptpubkey === script ? script : ''
      sums.set(key, (sums.get(key) ?? 0) + output.value)
      return false
    },
    rest: () =>
      [...sums].map(([scriptpubkey, value]) => JSON.stringify(toElement({ scriptpubkey, value }))),
  }
}

const getField = (json: unknown, name: string): unknown =>
  typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined

function readValue(json: unknown): Output | undefined {
  const scriptpubkey = getField(json, 'scriptpubkey')
  const value = getField(json, 'value')
  if (typeof scriptpubkey !== 'string' || typeof value !== 'number') return undefined
  return { scriptpubkey, value }
}
