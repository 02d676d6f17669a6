import fc from 'fast-check';

// That a property fails is all that is asked; the smallest example takes a hundred times as long.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
