import { LatchkeyError, providerNames, type SocialProvider } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/database.ts'
import { type CodeAction, codeActions } from '../../mail/codeActions.ts'
import type { Login } from '../tables.ts'

/** Describes in the mail what the code of a login allows: the one action and its target. Throws `VAULT_NOT_FOUND`. */
export async function describeAction(db: Kysely<Database>, login: Login): Promise<CodeAction> {
  const { purpose, action, origin, browser } = login
  if (purpose === 'login')
    return action === 'export' ? codeActions.signInToExport() : codeActions.signIn({ origin })
  const wallet = await findWallet(db, login)
  if (purpose === 'recovery') return codeActions.recover({ wallet: wallet?.eip155, browser })
  const [verb, what = ''] = (action ?? '').split(' ')
  const target = { wallet: wallet?.eip155 }
  if (verb === 'add') return codeActions.add({ ...target, kind: what as Kind })
  if (verb === 'link') return codeActions.link({ provider: providerNames[what as SocialProvider] })
  if (verb === 'unlink')
    return codeActions.unlink({ provider: providerNames[what as SocialProvider] })
  if (verb === 'new') return codeActions.newKey(target)
  if (verb === 'delete') return codeActions.remove(target)
  if (verb === 'export') return codeActions.show(target)
  if (verb === 'lost') return codeActions.lose(target)
  if (verb === 'allow') return codeActions.allow({ ...target, origin })
  const factor = wallet && (await findFactor(db, { walletId: wallet.id, id: what }))
  if (!factor) throw new LatchkeyError('VAULT_NOT_FOUND')
  return codeActions.drop({ ...target, kind: factor.kind, label: factor.label })
}

type Kind = 'passkey' | 'kit' | 'operator'

const findWallet = (db: Kysely<Database>, { session_id }: Login) =>
  db
    .selectFrom('wallets')
    .innerJoin('sessions', 'sessions.user_id', 'wallets.user_id')
    .select(['wallets.id', 'wallets.eip155'])
    .where('sessions.id', '=', session_id)
    .executeTakeFirst()

const findFactor = (
  db: Kysely<Database>,
  { walletId, id }: { readonly walletId: string; readonly id: string },
) =>
  db
    .selectFrom('recovery_factors')
    .select(['kind', 'label'])
    .where('wallet_id', '=', walletId)
    .where('id', '=', id)
    .executeTakeFirst()
