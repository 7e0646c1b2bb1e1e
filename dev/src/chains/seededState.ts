import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import type { Plan } from '../contracts/plan.ts'
import { root } from '../root.ts'
import { findAnvil } from './findAnvil.ts'
import { callRpc } from './rpc.ts'

const maxAgeMs = 30 * 60_000
const hex = z.string().regex(/^0x[0-9a-f]+$/)

/**
 * Path of the stored state of a chain after this plan and this anvil have deployed its contracts.
 */
export function seededState(chainId: number, { hash }: Plan): string {
  const { size, mtimeMs } = statSync(findAnvil())
  const key = createHash('sha256').update(`${hash} ${size} ${mtimeMs}`).digest('hex').slice(0, 16)
  return join(root, 'node_modules/.cache/latchkey', `chain-${chainId}-${key}.json`)
}

/**
 * Whether the file exists and its blocks are as recent as a test expects of newly deployed
 * contracts.
 */
export const isRecent = (file: string): boolean =>
  existsSync(file) && Date.now() - statSync(file).mtimeMs < maxAgeMs

/** Stores the state of a running chain in `file`, from which temporary chains start. */
export async function writeSeededState(url: string, file: string): Promise<void> {
  const dumped = hex.parse(await callRpc(url, 'anvil_dumpState', []))
  mkdirSync(dirname(file), { recursive: true })
  // Written to a temporary file first, because others may read it meanwhile.
  const fresh = `${file}.${randomUUID()}`
  writeFileSync(fresh, gunzipSync(Buffer.from(dumped.slice(2), 'hex')))
  renameSync(fresh, file)
}
