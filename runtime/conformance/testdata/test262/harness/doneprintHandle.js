// How an asynchronous test says that it is done.
function $DONE(error) {
  print(error ? 'Test262:AsyncTestFailure:' + error : 'Test262:AsyncTestComplete');
}
