import type { HttpBindings } from '@hono/node-server'
import {
  activateSessionRoute,
  createSessionRoute,
  isError,
  listSessionsRoute,
  readSessionContextRoute,
  revokeSessionRoute,
  signSessionRoute,
} from '@latchkey/wire'
import { permissionGrant } from '@latchkey/wire/permissions'
import { type Context, Hono } from 'hono'
import { stringToHex } from 'viem'
import { readHeader } from '../http/clientAddress.ts'
import { badRequest, HttpFailure, toFailure } from '../http/failure.ts'
import { payTurns } from '../http/limitRate.ts'
import { parseBody, parseQuery } from '../http/request/parse.ts'
import { getProjectId } from '../http/request/projectId.ts'
import type { Services } from '../services.ts'
import { activateSession } from './activateSession.ts'
import { coSign, findEnd } from './coSign.ts'
import type { Page } from './deriveSession.ts'
import { describeSession } from './describeSession.ts'
import { findAccounts } from './findAccount.ts'
import { openingCost, openSmartSession } from './openSession.ts'
import { isRevokedOnChain } from './readGrants.ts'
import { type Account, getContext, type SmartSession, type SmartSessionsDeps } from './session.ts'
import { findSmartSession, readSessions, revoke } from './sessionStore.ts'
import { verifyText } from './verifyKey.ts'

type Env = { Bindings: Partial<HttpBindings> }

/** The five session routes. */
export function sessionRoutes(
  services: Pick<Services, 'config' | 'kv' | 'log'>,
  deps: SmartSessionsDeps,
): Hono<Env> {
  const withAccounts = async (
    c: Context<Env>,
    work: (accounts: readonly Account[]) => Promise<Response>,
  ): Promise<Response> => {
    const accounts = findAccounts(services.config, c.req.param('address') ?? '')
    try {
      return await work(accounts)
    } catch (error) {
      if (isError(error, 'VAULT_NOT_FOUND')) throw new HttpFailure(unknownSession)
      if (isError(error)) throw new HttpFailure({ ...toFailure(error), field: 'pci' })
      throw error
    }
  }
  // A session is on one network, so a plain address is tried on each.
  const withAccount = (c: Context<Env>, work: (account: Account) => Promise<Response>) =>
    withAccounts(c, async (accounts) => {
      for (const account of accounts.slice(0, -1)) {
        try {
          return await work(account)
        } catch (error) {
          if (!isError(error, 'VAULT_NOT_FOUND')) throw error
        }
      }
      const last = accounts.at(-1)
      if (!last) throw new HttpFailure(unknownSession)
      return work(last)
    })
  return new Hono<Env>()
    .post(createSessionRoute.path, (c) =>
      withAccounts(c, async ([account, ...others]) => {
        if (account === undefined || others.length > 0) throw new HttpFailure(noNetwork)
        const grant = await parseBody(c, createSessionRoute.body)
        await payTurns(services, c, { route: createSessionRoute.path, cost: openingCost })
        const { pci, publicKey } = await openSmartSession(deps, {
          account,
          grant,
          page: readPage(c),
        })
        const key = c.req.query('v') === '2' ? publicKey : stringToHex(publicKey.slice(2))
        return c.json({ pci, key: { type: 'secp256k1', publicKey: key } })
      }),
    )
    .get(listSessionsRoute.path, (c) =>
      withAccounts(c, async (accounts) => {
        const projectId = getProjectId(c) ?? ''
        const lists = accounts.map((account) => readSessions(deps, { account, projectId }))
        const found = (await Promise.all(lists))
          .flat()
          .sort((a, b) => b.row.created_at.getTime() - a.row.created_at.getTime())
        // Each session causes a request to the chain.
        await payTurns(services, c, { route: listSessionsRoute.path, cost: found.length })
        return c.json({
          pcis: await Promise.all(found.map((one) => describeSession(deps, one))),
        })
      }),
    )
    .get(readSessionContextRoute.path, (c) =>
      withAccount(c, async (account) => {
        const query = parseQuery(c, readSessionContextRoute.query)
        const session = await findSmartSession(deps, { account, ...query })
        return c.json({ context: session.row.activated_at ? getContext(session) : null })
      }),
    )
    .post(activateSessionRoute.path, (c) =>
      withAccount(c, async (account) => {
        const body = await parseBody(c, activateSessionRoute.body)
        const { pci } = body
        const grant = permissionGrant.safeParse({ policies: [], ...body }).data
        await activateSession(deps, { account, pci, grant, page: readPage(c) })
        return c.json({})
      }),
    )
    .post(revokeSessionRoute.path, (c) =>
      withAccount(c, async (account) => {
        const body = await parseBody(c, revokeSessionRoute.body)
        const session = await findSmartSession(deps, { account, pci: body.pci })
        if (session.row.revoked_at !== null) throw new HttpFailure(unknownSession)
        if (!(await mayRevoke(deps, session, body.signature))) throw new HttpFailure(stillGranted)
        await revoke(deps, session)
        return c.json({})
      }),
    )
    .post(signSessionRoute.path, (c) =>
      withAccount(c, async (account) => {
        const body = await parseBody(c, signSessionRoute.body)
        const session = await findSmartSession(deps, { account, pci: body.pci })
        try {
          const { signature } = await coSign(deps, session, { userOp: body.userOp })
          return c.json({ signature })
        } catch (error) {
          if (!isError(error, 'SIGNING_REFUSED')) throw error
          // Reads the session again, because its state on the chain may have ended it.
          const after = await findSmartSession(deps, { account, pci: body.pci })
          if (findEnd(deps, after) !== undefined) throw error
          // Clients recognize this error by its status and its first words.
          const description = `Cosigner permission denied: ${error.message}`
          throw new HttpFailure({ status: 401, field: 'pci', description })
        }
      }),
    )
}

/**
 * The project, and the origin that the browser reports for a page that sends requests on its own.
 */
function readPage(c: Context<Env>): Page {
  const origin = readHeader(c, 'origin') ?? ''
  const isPage = /^https?:\/\//.test(origin) && URL.canParse(origin)
  return {
    projectId: getProjectId(c) ?? '',
    origin: isPage ? new URL(origin).origin : null,
  }
}

/**
 * Whether a session may be revoked: the chain has revoked it, or the session's own key signed the
 * request. No one else can end a session.
 */
export async function mayRevoke(
  deps: SmartSessionsDeps,
  session: SmartSession,
  signature?: string,
): Promise<boolean> {
  const [key] = session.grant.signer.data.keys
  if (key && signature !== undefined && verifyText(key, session.row.pci, signature)) return true
  return isRevokedOnChain(deps, session)
}

const noNetwork = badRequest(
  'address',
  'Several networks have smart sessions. Name one with the CAIP-10 id of the account, such as "eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"',
)
const unknownSession = badRequest('pci', 'There is no such session, or it was revoked')
const stillGranted = badRequest(
  'signature',
  "The session is not revoked on the chain, and the request is not signed with the session's key",
)
