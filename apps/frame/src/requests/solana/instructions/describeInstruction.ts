import { formatUnits, sanitizeText } from '@latchkey/wire'
import type { ApprovalRow } from '../../../approval/approvalView.ts'
import type { FrameChain } from '../../../chains.ts'
import { solanaTexts } from '../../../locales/solana.en.ts'
import { formatTime } from '../../formatAsset.ts'
import { getAuthorityText, getInstructionName } from '../getSolanaWarnings.ts'
import { programs, sysvars } from '../programs.ts'
import type { DecodedInstruction, LayoutField } from './decodeInstructions.ts'

type Line = NonNullable<ApprovalRow['tree']>[number]

/**
 * Whether an address belongs to the network. The whole address counts, because an attacker can make
 * a key with the same beginning.
 */
const isOfNetwork = (address: string) => sysvars.includes(address) || address === programs.system

/** An instruction in full: its name, its program, each field and each account. */
export function describeSolanaInstruction(
  chain: FrameChain,
  instruction: DecodedInstruction,
): { name: string; tree: Line[] } {
  const { known, program, fields, roles } = instruction
  const labels: Readonly<Record<string, string>> = solanaTexts.labels
  const line = (label: string, value: string): Line => ({ depth: 0, label, value })
  return {
    name: getInstructionName(instruction),
    tree: [
      line(
        solanaTexts.program,
        known === undefined ? program : `${solanaTexts.known[known]} (${program})`,
      ),
      ...Object.entries(fields).map(([key, value]) =>
        line(labels[key] ?? key, showField(chain, key, value)),
      ),
      ...roles
        .filter(({ address }) => !isOfNetwork(address))
        .map(({ role, address }) => line(labels[role] ?? role, address)),
    ],
  }
}

function showField(chain: FrameChain, name: string, value: LayoutField): string {
  if (value === undefined) return solanaTexts.nobody
  if (typeof value === 'string') return sanitizeText(value)
  if (name === 'lamports') return `${formatUnits(value, chain.decimals)} ${chain.symbol}`
  if (name === 'authorityKind') return getAuthorityText(`token${value}`)
  if (name === 'stakeAuthority') return getAuthorityText(value === 0n ? 'stake' : 'withdraw')
  if ((name === 'lockupTime' || name === 'startsAt') && value > 0n) return formatTime(value)
  return String(value)
}
