import { activityEventsPath } from '@latchkey/wire'
import type { Address } from 'viem'
import { createActivity } from '../activity/createActivity.ts'
import { createAuth } from '../auth/auth.ts'
import { createAlertOperator } from '../auth/email/createAlertOperator.ts'
import { createMailLimit } from '../auth/email/mailLimit.ts'
import { createAccountLimit } from '../auth/passkeys/accountLimit.ts'
import { hasPasskeyAlone } from '../auth/passkeys/passkeys.ts'
import { sweepAuth } from '../auth/sweepAuth.ts'
import { openBalanceSources } from '../balance/openBalanceSources.ts'
import { createAskChain } from '../bundler/askChain.ts'
import { createBundlers } from '../bundler/createBundlers.ts'
import type { OpenDatabase } from '../db/openDatabase.ts'
import { createFrameServer } from '../frame/createFrameServer.ts'
import { joinAccountEvents } from '../history/accountEvents.ts'
import { createBitcoinEvents } from '../history/bitcoin/createBitcoinEvents.ts'
import { eventsUpgrade } from '../history/eventsRoute.ts'
import { createSolanaEvents } from '../history/solana/createSolanaEvents.ts'
import { sweepSolana } from '../history/solana/sweepSolana.ts'
import { secureHeaders, sharedHeaders } from '../http/headers.ts'
import { createResponseCache } from '../http/responseCache.ts'
import { openMailer } from '../mail/mailer.ts'
import { sweepNames } from '../names/changeNames.ts'
import { sweepMetadata } from '../nfts/metadataRows.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { askProviders, listAsked } from '../onramp/askProviders.ts'
import { sweepOrders } from '../onramp/dueOrders.ts'
import { openProviders } from '../onramp/openProviders.ts'
import { createOutbound } from '../outbound/createOutbound.ts'
import { recordPrices } from '../prices/recordPrices.ts'
import { createProjectCheck } from '../projects/createProjectCheck.ts'
import { isLoopbackOrigin } from '../projects/originAllowed.ts'
import { rpcUpgrade } from '../rpc/socketRoute.ts'
import { createServer } from '../server.ts'
import { sweepSiwx } from '../siwx/siwxStore.ts'
import type { SmartSessionsDeps } from '../smartSessions/session.ts'
import { findSessionOwner, sweepSessions } from '../smartSessions/sessionStore.ts'
import { appendAudit } from '../vault/audit.ts'
import { createVault } from '../vault/createVault.ts'
import { lookupSecrets } from '../vault/kms/lookupSecrets.ts'
import { openKeyring } from '../vault/kms/openKeyring.ts'
import { sweepVault } from '../vault/sweepVault.ts'
import type { Role } from './role.ts'

const sweepEveryMs = 60_000

/** Web app, API, chain RPC and the secure frame, with the database open. */
export const composeServer = (
  { background, url, close }: OpenDatabase,
  database: NonNullable<Role['database']>,
): Role => ({
  database,
  close,
  async serve(base) {
    const services = { ...base, ...database }
    const { db } = database
    const { config, log, clock } = base
    const abort = new AbortController()
    const upstreams = createUpstreams(services)
    void upstreams.verifyAtStart()
    const providers = openProviders(services)
    const outbound = createOutbound(services, { stopping: abort.signal })
    const activity = createActivity({ ...services, background, databaseUrl: url }, upstreams)
    const mailer = openMailer(config, base)
    if (mailer === undefined) log.warn('email login is off: set SMTP_URL')
    const alertOperator = createAlertOperator({ ...services, mailer })
    const isSessionAccount = async (account: Address) =>
      (await findSessionOwner(db, account)) !== undefined
    const isSponsored = async (account: Address) => {
      if (config.passkeyAccounts === 'sponsored') return true
      const owner = await findSessionOwner(db, account)
      return !(await hasPasskeyAlone(db, owner ?? account))
    }
    const bundlers = createBundlers(
      { ...services, background, isSessionAccount, isSponsored, alertOperator },
      upstreams,
    )
    const rpc = rpcUpgrade(services, upstreams)
    const solana = createSolanaEvents({ ...services, upstreams })
    const bip122 = createBitcoinEvents({ ...services, upstreams })
    const events = joinAccountEvents({ eip155: activity, solana, bip122 })
    const routes = {
      '/v1': rpc,
      '/ws': rpc,
      [activityEventsPath]: eventsUpgrade(services, events),
    }
    const socketPaths = Object.keys(routes)
    const headers = { ...secureHeaders(config), ...sharedHeaders }
    const responseCache = createResponseCache({
      ...services,
      authorize: createProjectCheck(services),
      headers,
    })
    const sources = openBalanceSources(services, { upstreams, outbound, activity })
    const create = isLoopbackOrigin(config.frame.url)
    const kms = await openKeyring({ db, dir: config.keyringDir, create })
    const sessions: SmartSessionsDeps = {
      db,
      kms,
      clock,
      log: services.log,
      bundlers,
      askChain: (chainId) => createAskChain(upstreams, chainId),
      nodes: upstreams.nodes,
      countNodes: upstreams.countNodes,
      audit: (entry) => db.transaction().execute((trx) => appendAudit(trx, { kms, clock }, entry)),
    }
    const app = createServer(services, {
      upstreams,
      outbound,
      activity,
      sources,
      socketPaths,
      responseCache,
      events,
      bundlers,
      sessions,
    })
    const secrets = lookupSecrets(kms)
    const auth = await createAuth({
      ...services,
      secrets,
      mailer,
      mailLimit: createMailLimit({ ...services, alertOperator }),
      accountLimit: createAccountLimit({ ...services, secrets, alertOperator }),
      audit: (trx, entry) => appendAudit(trx, { kms, clock }, entry),
      stopping: abort.signal,
    })
    const frame = createFrameServer(services, {
      auth,
      vault: createVault({ ...services, auth, kms, alertOperator }),
      upstreams,
      outbound,
      bundlers,
      sessions,
      balances: sources,
    })
    let sweptAtMs = clock()
    return {
      fetch: (request, env) => app.fetch(request, env),
      answerFromCache: responseCache.answer,
      headers,
      routes,
      frame: (request, env) => frame.fetch(request, env),
      async tick() {
        if (Math.abs(clock() - sweptAtMs) < sweepEveryMs) return
        sweptAtMs = clock()
        await sweepAuth({ db: background, clock })
        await sweepVault({ db: background, clock })
        await bundlers.sweep(background)
        await sweepNames({ db: background, clock })
        await sweepOrders({ db: background, clock }, { asked: listAsked(providers) })
        await sweepSiwx({ db: background, clock })
        await sweepSessions({ db: background, clock })
        await sweepMetadata({ ...services, db: background })
        await sweepSolana(background)
        await recordPrices({ ...sources, db: background, clock })
        // Last, because it waits for others.
        await askProviders({ ...services, db: background, upstreams, providers })
      },
      async stop() {
        abort.abort()
        mailer?.close()
        await bundlers.stop()
        await activity.stop()
      },
    }
  },
})
