package runtime

// This file owns what tests from outside of the package see of its inside.

// EngineNames are the names that variables of the bundle get.
var EngineNames = engineNames
