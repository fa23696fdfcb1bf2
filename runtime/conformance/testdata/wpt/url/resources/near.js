// Named relative to the test; sees what the script before it declares.
const near = sharedByAll + ' and near';
