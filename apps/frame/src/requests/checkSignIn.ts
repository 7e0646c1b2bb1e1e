import { hasChecksumFault, sanitizeText, solanaClusters } from '@latchkey/wire'
import type { Warning } from '../approval/approvalView.ts'
import { fill } from '../locales/en.ts'
import { signatures as t } from '../locales/signatures.en.ts'
import type { ApprovalRequest } from './approvalRequest.ts'
import { comparePlace, type ParsedSignIn, readSignIn } from './readSignIn.ts'
import { caution } from './warning.ts'

type SignInContext = Pick<ApprovalRequest, 'origin' | 'accounts' | 'chain'>

/**
 * Warnings about a message that is a sign-in. `blocked`: the reason why the message may not be
 * signed.
 */
export type SignInCheck = {
  readonly isSignIn: boolean
  readonly warnings: readonly Warning[]
  readonly blocked?: string
}

/**
 * Compares a sign-in with the page, the account and the network. Another site or account blocks it.
 * Another network, or another address of the same site, is a caution.
 */
export function checkSignIn(asked: SignInContext, text: string): SignInCheck {
  const signIn = readSignIn(text)
  if (signIn === 'none') return { isSignIn: false, warnings: [] }
  if (signIn === 'broken') return { isSignIn: false, warnings: [], blocked: t.block.signInForm }
  const blocked = refuse(asked, signIn)
  return {
    isSignIn: true,
    warnings: [
      ...(signIn.givesRights ? [caution(t.warn.rights)] : []),
      ...(blocked === undefined ? compare(asked, signIn) : []),
    ],
    ...(blocked !== undefined && { blocked }),
  }
}

function refuse(
  { origin, accounts, chain }: SignInContext,
  signIn: ParsedSignIn,
): string | undefined {
  if (comparePlace(signIn, origin) === 'elsewhere')
    return fill(t.block.signInDomain, { domain: shorten(getForeign(signIn, origin)), origin })
  const evm = chain.namespace === 'eip155'
  if (evm !== (signIn.network === 'Ethereum')) return t.block.signInForm
  if (!evm) return signIn.address === accounts.solana ? undefined : t.block.signInAddress
  if (signIn.address.toLowerCase() !== accounts.eip155.toLowerCase()) return t.block.signInAddress
  return hasChecksumFault(signIn.address) ? t.block.signInChecksum : undefined
}

/** The name of the other site: the domain, or the URI if the domain is this site's. */
const getForeign = ({ scheme, domain, uri }: ParsedSignIn, origin: string) =>
  comparePlace({ scheme, domain, uri: undefined }, origin) === 'elsewhere' ? domain : (uri ?? '')

function compare(
  { origin, chain }: SignInContext,
  { scheme, domain, uri, chainId, ...rest }: ParsedSignIn,
) {
  const warnings: Warning[] = []
  if (comparePlace({ scheme, domain, uri }, origin) === 'site') {
    const isUri = comparePlace({ scheme: undefined, domain, uri }, origin) === 'site'
    const place = isUri && uri !== undefined ? uri : `${scheme}://${domain}`
    warnings.push(caution(fill(t.warn.signInPlace, { place: shorten(place), origin })))
  }
  const isSolana = rest.network === 'Solana'
  if (chainId !== undefined && (isSolana ? readCluster(chainId) : chainId) !== chain.reference)
    warnings.push(
      caution(fill(t.warn.signInChain, { id: shorten(chainId).slice(0, 40), chain: chain.name })),
    )
  return warnings
}

function readCluster(chainId: string) {
  const name = chainId.replace(/^solana:/, '')
  return solanaClusters.get(name) ?? name
}

const shorten = (text: string) => sanitizeText(text).slice(0, 100)
