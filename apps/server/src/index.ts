export { getSkeleton } from './names/looks.ts'
export { suggestLabels } from './names/suggestLabels.ts'
export { isSignedByKey } from './signatures/isSignedByKey.ts'
export { type RunningServer, startServer } from './startServer.ts'
