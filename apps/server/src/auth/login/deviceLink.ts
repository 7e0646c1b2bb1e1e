import { timingSafeEqual } from 'node:crypto'
import {
  type approveDeviceLinkRoute,
  LatchkeyError,
  type readDeviceLinkRoute,
} from '@latchkey/wire'
import type * as z from 'zod/mini'
import { isTrustedPage } from '../../projects/trustedPages.ts'
import type { Auth } from '../auth.ts'
import { hasCode, renewCode } from '../codes/codes.ts'
import type { RouteCall } from '../mount.ts'
import { hashToken } from '../session/tokens.ts'
import type { Login } from '../tables.ts'
import { getLoginCode, mailCode, mailsCodeWithLink } from './login.ts'

const triesPerLink = 3

/**
 * The request that a device link would approve: which browser, where and when. Throws
 * `LINK_INVALID`.
 */
export async function readDeviceLink(
  auth: Auth,
  { body }: RouteCall<typeof readDeviceLinkRoute>,
): Promise<z.infer<typeof readDeviceLinkRoute.result>> {
  const login = await findByLink(auth, body.secret)
  const endsAtMs = login.link_expires_at?.getTime() ?? 0
  return {
    origin: login.origin,
    browser: login.browser,
    startedAtMs: login.created_at.getTime(),
    expiresInSeconds: Math.max(0, Math.ceil((endsAtMs - auth.clock()) / 1000)),
    approved: login.approved_at !== null,
    ...(login.match_code === '' && { withoutDigits: true }),
    ...((await isCodeMailed(auth, login)) && { codeInLinkMail: true }),
  }
}

/**
 * Approves the browser of a login with the two digits that it shows, or without any if the project
 * trusts its page. Mails the code, unless the mail with the link has it. Each link allows three
 * attempts. With `refuse` it ends the login instead. Throws `MATCH_CODE_WRONG` and `LINK_INVALID`.
 */
export async function approveDeviceLink(
  auth: Auth,
  { body }: RouteCall<typeof approveDeviceLinkRoute>,
): Promise<z.infer<typeof approveDeviceLinkRoute.result>> {
  const found = await findByLink(auth, body.secret)
  if (found.approved_at !== null) return { approved: true }
  if (body.refuse) return refuseLogin(auth, found)
  const login = await auth.db
    .updateTable('logins')
    .set((row) => ({ link_tries: row('link_tries', '+', 1) }))
    .where('link_hash', '=', hashToken(body.secret))
    .where('link_tries', '<', triesPerLink)
    .where('approved_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (login === undefined) throw new LatchkeyError('LINK_INVALID')
  if (login.match_code !== '' && !isEqual(login.match_code, body.matchCode ?? '')) {
    auth.log.info({ tries: login.link_tries }, 'device link: wrong digits')
    throw new LatchkeyError('MATCH_CODE_WRONG')
  }
  const approved = await auth.db
    .updateTable('logins')
    .set({ approved_at: new Date(auth.clock()) })
    .where('link_hash', '=', hashToken(body.secret))
    .where('approved_at', 'is', null)
    .executeTakeFirst()
  const isFirst = approved.numUpdatedRows === 1n
  if (isFirst && !(await renewMailedCode(auth, login))) await mailCode(auth, login)
  return { approved: true }
}

/** Whether the mail with the link had the code, which a link of an earlier version had not. */
const isCodeMailed = async (auth: Auth, login: Login) =>
  mailsCodeWithLink(login) && (await hasCode(auth, getLoginCode(login)))

/**
 * Gives the code of the mail with the link another ten minutes. Returns false if that mail had no
 * code.
 */
const renewMailedCode = async (auth: Auth, login: Login) =>
  mailsCodeWithLink(login) && (await renewCode(auth, getLoginCode(login)))

const isEqual = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

async function refuseLogin({ db, clock, log }: Auth, { hash }: Login) {
  const refused = await db
    .updateTable('logins')
    .set({ finished_at: new Date(clock()) })
    .where('hash', '=', hash)
    .where('approved_at', 'is', null)
    .executeTakeFirst()
  // Another press was faster.
  if (refused.numUpdatedRows === 0n) return { approved: true }
  log.info('device link: refused')
  return { approved: false }
}

/**
 * Finds the login of a link. A login without digits has ended if its project no longer trusts its
 * page.
 */
async function findByLink({ db, clock }: Auth, secret: string): Promise<Login> {
  const now = new Date(clock())
  const login = await db
    .selectFrom('logins')
    .selectAll()
    .where('link_hash', '=', hashToken(secret))
    .where('link_tries', '<=', triesPerLink)
    .where('link_expires_at', '>', now)
    .where('expires_at', '>', now)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  const dead =
    login === undefined || (login.approved_at === null && login.link_tries >= triesPerLink)
  if (dead) throw new LatchkeyError('LINK_INVALID')
  const { match_code, origin, project_id: projectId } = login
  if (match_code === '' && !(await isTrustedPage(db, { projectId, origin })))
    throw new LatchkeyError('LINK_INVALID')
  return login
}
