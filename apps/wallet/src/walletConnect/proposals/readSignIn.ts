import type { AuthRequest } from '@latchkey/walletconnect'
import { canParseUrl } from '@latchkey/wire'
import type { Config } from '../../config.ts'
import { findChainId } from '../capabilities.ts'
import { texts } from '../texts.ts'

type SignInRequest = Pick<AuthRequest, 'authPayload' | 'requester'>

/** CAIP-2 chains of a sign-in that this wallet has. */
export const ownChains = ({ authPayload }: SignInRequest, config: Config): string[] =>
  authPayload.chains.filter((chain) => findChainId(config, chain) !== undefined)

/** Warning if the message would sign in to a domain other than the app's own address. */
export function getDomainWarning({ authPayload, requester }: SignInRequest): string | undefined {
  const { domain } = authPayload
  if (!canParseUrl(requester.url)) return texts.domainUnknown(domain)
  const { host, hostname } = new URL(requester.url)
  const same = [host, hostname].includes(domain.toLowerCase())
  const aimsElsewhere = !canParseUrl(authPayload.aud) || new URL(authPayload.aud).host !== host
  return same && !aimsElsewhere ? undefined : texts.domainDiffers(domain, host)
}
