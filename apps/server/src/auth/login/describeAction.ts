import { LatchkeyError, providerNames, type SocialProvider } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/database.ts'
import { type CodeAction, codeActions } from '../../mail/codeActions.ts'
import type { Login } from '../tables.ts'

/**
 * Describes in the mail what the code of a login allows: the one action and its target. Throws
 * `VAULT_NOT_FOUND`.
 */
export async function describeAction(db: Kysely<Database>, login: Login): Promise<CodeAction> {
  const { purpose, action, origin, browser } = login
  if (purpose === 'login')
    return action === 'export' ? codeActions.signInToExport() : codeActions.signIn({ origin })
  if (purpose === 'recovery')
    return codeActions.recover({ wallet: await findAssisted(db, login), browser })
  const wallet = await findWallet(db, login)
  const [verb, what = ''] = (action ?? '').split(' ')
  const target = { wallet: wallet?.eip155 }
  if (verb === 'add') return codeActions.add({ ...target, kind: what as Kind })
  if (verb === 'link') return codeActions.link({ provider: providerNames[what as SocialProvider] })
  if (verb === 'unlink')
    return codeActions.unlink({ provider: providerNames[what as SocialProvider] })
  if (verb === 'new') return codeActions.newKey(target)
  if (verb === 'fresh') return codeActions.create(target)
  if (verb === 'delete') {
    const other = await findOther(db, { login })
    return codeActions.remove({ ...target, other: other?.eip155 })
  }
  if (verb === 'export' && what === '') return codeActions.show(target)
  if (verb === 'lost') return codeActions.lose(target)
  if (verb === 'allow') return codeActions.allow({ ...target, origin })
  if (verb === 'export' || verb === 'drop') {
    const other = await findOther(db, { login })
    if (other?.id !== what) throw new LatchkeyError('VAULT_NOT_FOUND')
    const named = { wallet: other.eip155 }
    return verb === 'export' ? codeActions.show(named) : codeActions.erase(named)
  }
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
    .where('wallets.place', '=', 'current')
    .executeTakeFirst()

/**
 * The wallets that the operator can help to recover: the wallet in use, the previous wallet, or
 * both.
 */
async function findAssisted(
  db: Kysely<Database>,
  { session_id }: Login,
): Promise<string | undefined> {
  const rows = await db
    .selectFrom('wallets')
    .innerJoin('sessions', 'sessions.user_id', 'wallets.user_id')
    .innerJoin('recovery_factors', 'recovery_factors.wallet_id', 'wallets.id')
    .select('wallets.eip155')
    .where('sessions.id', '=', session_id)
    .where('recovery_factors.kind', '=', 'operator')
    .orderBy('wallets.place')
    .execute()
  return rows.length === 0 ? undefined : rows.map(({ eip155 }) => eip155).join(' or ')
}

const findOther = (db: Kysely<Database>, { login }: { readonly login: Login }) =>
  db
    .selectFrom('wallets')
    .innerJoin('sessions', 'sessions.user_id', 'wallets.user_id')
    .select(['wallets.id', 'wallets.eip155'])
    .where('sessions.id', '=', login.session_id)
    .where('wallets.place', '=', 'other')
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
