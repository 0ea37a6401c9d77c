//! Inverse of a small positive definite matrix.

/// A square matrix by rows.
pub type Matrix = Vec<Vec<f64>>;

/// The inverse of a positive definite matrix, by Gauss-Jordan elimination, which needs no exchange of rows there.
pub fn inverse(mut matrix: Matrix) -> Matrix {
    let size = matrix.len();
    for pivot in 0..size {
        // In place: the column that becomes a unit vector is replaced by that of the inverse.
        let scale = 1.0 / std::mem::replace(&mut matrix[pivot][pivot], 1.0);
        matrix[pivot].iter_mut().for_each(|value| *value *= scale);
        let row = matrix[pivot].clone();
        for other in (0..size).filter(|&other| other != pivot) {
            let factor = std::mem::replace(&mut matrix[other][pivot], 0.0);
            matrix[other].iter_mut().zip(&row).for_each(|(value, pivotal)| *value -= factor * pivotal);
        }
    }
    matrix
}

/// The product of two square matrices of one size.
pub fn product(left: &Matrix, right: &Matrix) -> Matrix {
    let size = left.len();
    let cell = |row: usize, column: usize| (0..size).map(|k| left[row][k] * right[k][column]).sum();
    (0..size).map(|row| (0..size).map(|column| cell(row, column)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = vec![vec![4.0, -1.0, -2.0], vec![-1.0, 3.0, -1.0], vec![-2.0, -1.0, 5.0]];
        let one = product(&matrix, &inverse(matrix.clone()));
        for (row, cells) in one.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                assert!((cell - f64::from(u8::from(row == column))).abs() < 1e-14, "{one:?}");
            }
        }
        assert!(inverse(Matrix::new()).is_empty());
    }
}
