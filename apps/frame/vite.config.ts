import { defineConfig } from 'vite'
import { insertHead } from './insertHead.ts'
import { buildRecoverPage } from './recover/buildRecoverPage.ts'

// Small modules that are used together. Without this table, the bundler would make a file of each.
// A kind of approval loads the modules that it needs.
const together: Readonly<Record<string, readonly string[]>> = {
  approvalParts: [
    '/flows/fetchRisks.',
    '/wire/src/api/risks.',
    '/wire/src/text/formatUnits.',
    '/wire/src/text/sanitizeText.',
    '/requests/formatAsset.',
    '/requests/params.',
  ],
  requestParts: [
    '/wire/src/api/simulation.',
    '/requests/approvalRequest.',
    '/requests/counterparties.',
    '/requests/sanitizeName.',
    '/requests/simulation/takesMore.',
    '/requests/warning.',
  ],
  passkeys: ['/src/passkey.', '/src/passkeysHere.', '/src/askForPasskey.', '/parts/usePasskeys.'],
  keccak: ['/@noble/hashes/', '/src/encoding/checksumAddress.'],
  effects: [
    '/requests/describeEffects.',
    '/requests/getWarnings.',
    '/requests/readToken.',
    '/evm/codec/',
  ],
  calls: [
    '/src/isSelfExecution.',
    '/requests/calls/describeCalls.',
    '/requests/simulation/isWorse.',
    '/evm/abi.',
    '/evm/checkFees.',
    '/evm/lowerAllowance.',
    '/evm/withVerifiedChain.',
    '/evm/parseSendTransaction.',
    '/evm/readCall.',
  ],
  simulation: [
    '/wire/src/fees.',
    '/requests/simulation/buildTransactionView.',
    '/requests/simulation/describeSimulation.',
    '/requests/simulation/formatWorth.',
    '/requests/simulation/simulate.',
  ],
  transactions: [
    '/wire/src/l1Fee.',
    '/evm/estimateGas.',
    '/evm/prepareTransaction.',
    '/evm/readFee.',
    '/evm/sendTransaction.',
  ],
  operations: [
    '/calls/readDelegation.',
    '/operation/accountCalls.',
    '/operation/assertPayable.',
    '/operation/buildOperation.',
    '/operation/newDelegation.',
    '/operation/operationFee.',
  ],
  batch: ['/calls/batchAllowance.', '/calls/batchCall.'],
  popup: [
    '/src/rendezvous/rendezvous.',
    '/src/pages/windowTheme.',
    '/wire/src/channel/openChannel.',
    '/approval/ApprovalWindowScreen.',
    '/approval/useApprovalWindow.',
    '/locales/approvalWindow.en.',
  ],
  guard: ['/approval/createVisibilityGuard.', '/approval/useVisibilityGuard.'],
}

export default defineConfig({
  plugins: [insertHead(), buildRecoverPage()],
  // React's interface, a sixth of its weight: this page is loaded into other people's pages.
  resolve: {
    // The workspaces have a copy each.
    dedupe: ['@noble/curves', '@noble/hashes'],
    alias: {
      react: 'preact/compat',
      'react-dom/client': 'preact/compat/client',
      'react/jsx-runtime': 'preact/jsx-runtime',
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es', rolldownOptions: { treeshake: true, output: { minify: true } } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    // The helper that preloads weighs more than it saves here.
    modulePreload: false,
    rolldownOptions: {
      input: [
        'index.html',
        'device.html',
        'export.html',
        'undo.html',
        'approve.html',
        'passkey.html',
        'social.html',
        'visit.html',
        'wallet.html',
      ],
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: Object.entries(together).map(([name, modules]) => ({
            name,
            test: (id: string) => modules.some((one) => id.includes(one)),
          })),
        },
      },
    },
  },
})
