import type { Migration } from 'kysely'
import * as sessions from './0021_sessions.ts'
import * as sessionBlocks from './0022_session_blocks.ts'
import * as primaryNames from './0023_primary_names.ts'
import * as moves from './0024_moves.ts'
import * as onrampAsks from './0025_onramp_asks.ts'
import * as permissionRoots from './0026_permission_roots.ts'
import * as firstEmail from './0027_first_email.ts'
import * as emailAdded from './0028_email_added.ts'
import * as onrampSources from './0029_onramp_sources.ts'
import * as olderStepUps from './0030_older_step_ups.ts'
import * as accountTypes from './0031_account_types.ts'
import * as bundleTurns from './0032_bundle_turns.ts'
import * as unreadBlocks from './0033_unread_blocks.ts'
import * as operationCode from './0034_operation_code.ts'
import * as countedOperations from './0035_counted_operations.ts'
import * as standing from './0036_standing.ts'
import * as operationRisk from './0037_operation_risk.ts'
import * as otpSurface from './0038_otp_surface.ts'
import * as strayAnswers from './0039_stray_answers.ts'
import * as toldStrays from './0041_told_strays.ts'
import * as balanceChanges from './0042_balance_changes.ts'
import * as sentReplacements from './0043_sent_replacements.ts'
import * as passkeyAccounts from './0044_passkey_accounts.ts'
import * as approvalAmounts from './0045_approval_amounts.ts'
import * as projects from './first/0001_projects.ts'
import * as auth from './first/0002_auth.ts'
import * as vault from './first/0003_vault.ts'
import * as activity from './first/0004_activity.ts'
import * as nfts from './first/0005_nfts.ts'
import * as enrolmentVersion from './first/0006_enrolment_version.ts'
import * as stepUps from './first/0007_step_ups.ts'
import * as solanaHistory from './first/0008_solana_history.ts'
import * as bundler from './first/0009_bundler.ts'
import * as social from './first/0010_social.ts'
import * as names from './first/0011_names.ts'
import * as farcaster from './first/0012_farcaster.ts'
import * as bundleBlocks from './first/0013_bundle_blocks.ts'
import * as passkeys from './first/0014_passkeys.ts'
import * as rendezvous from './first/0015_rendezvous.ts'
import * as onramp from './first/0016_onramp.ts'
import * as approvals from './first/0017_approvals.ts'
import * as siwx from './first/0018_siwx.ts'
import * as pricePoints from './first/0019_price_points.ts'
import * as sponsorships from './first/0020_sponsorships.ts'

/** Every migration by name, in order. A published one never changes. */
export const migrations: Record<string, Migration> = {
  '0001_projects': projects,
  '0002_auth': auth,
  '0003_vault': vault,
  '0004_activity': activity,
  '0005_nfts': nfts,
  '0006_enrolment_version': enrolmentVersion,
  '0007_step_ups': stepUps,
  '0008_solana_history': solanaHistory,
  '0009_bundler': bundler,
  '0010_social': social,
  '0011_names': names,
  '0012_farcaster': farcaster,
  '0013_bundle_blocks': bundleBlocks,
  '0014_passkeys': passkeys,
  '0015_rendezvous': rendezvous,
  '0016_onramp': onramp,
  '0017_approvals': approvals,
  '0018_siwx': siwx,
  '0019_price_points': pricePoints,
  '0020_sponsorships': sponsorships,
  '0021_sessions': sessions,
  '0022_session_blocks': sessionBlocks,
  '0023_primary_names': primaryNames,
  '0024_moves': moves,
  '0025_onramp_asks': onrampAsks,
  '0026_permission_roots': permissionRoots,
  '0027_first_email': firstEmail,
  '0028_email_added': emailAdded,
  '0029_onramp_sources': onrampSources,
  '0030_older_step_ups': olderStepUps,
  '0031_account_types': accountTypes,
  '0032_bundle_turns': bundleTurns,
  '0033_unread_blocks': unreadBlocks,
  '0034_operation_code': operationCode,
  '0035_counted_operations': countedOperations,
  '0036_standing': standing,
  '0037_operation_risk': operationRisk,
  '0038_otp_surface': otpSurface,
  '0039_stray_answers': strayAnswers,
  '0041_told_strays': toldStrays,
  '0042_balance_changes': balanceChanges,
  '0043_sent_replacements': sentReplacements,
  '0044_passkey_accounts': passkeyAccounts,
  '0045_approval_amounts': approvalAmounts,
}
