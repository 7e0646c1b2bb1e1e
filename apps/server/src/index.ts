export { getSkeleton } from './names/looks.ts'
export { suggestLabels } from './names/suggestLabels.ts'
export { type RunningServer, startServer } from './startServer.ts'
